import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestService } from '../../../../../test/support/service.ts';
import { openCustomerSession } from '../../../../../test/support/users.ts';
import { type Buyer, OrderShop, ok, unknownHosts } from './shop.ts';

/** A customer with the level `order` buys for itself, at its own price, from its own balance. */
let shop: OrderShop;
let t: TestService;
/** Customers of a sub-reseller: three levels pay. */
let one: Buyer;
let two: Buyer;
let session: string;
let seller: string;
beforeAll(async () => {
  shop = await OrderShop.open();
  ({ t } = shop);
  seller = shop.child.split(':')[0]!;
  one = await shop.buyer(shop.child, '200');
  two = await shop.buyer(shop.child, '15');
  session = await open(one);
});
afterAll(() => shop.close());

const open = (buyer: Buyer, access: 'order' | 'manage' = 'order') =>
  openCustomerSession(t, seller, buyer.id, access, shop.child);
const post = (path: string, json: Record<string, unknown>, more: { session?: string; key?: string } = {}) =>
  t.call('POST', `/v1${path}`, {
    json,
    session: more.session ?? session,
    ...(more.key ? { headers: { 'Idempotency-Key': more.key } } : {}),
  });
const orderOf = (buyer: Buyer, name: string, more: Record<string, unknown> = {}) => ({
  domain_name: name,
  customer_id: buyer.id,
  ...Object.fromEntries(['registrant', 'admin', 'tech', 'billing'].map((r) => [`${r}_contact_id`, buyer.contact])),
  invoice_option: 'pay_invoice',
  ...more,
});
const usd = (amount: string) => ({ amount, currency: 'USD' });
/** The prices that the sub-reseller and its parent pay for a registration; no customer may see them. */
const costs = async () => {
  const request = { kind: 'register', domain_name: 'cost-of-this.com' };
  const quotes = await Promise.all(
    [shop.child, t.demo].map((as) => t.call('POST', '/v1/quotes', { json: request, as })),
  );
  return quotes.map(({ body }) => body.total.amount as string);
};

test('charges every level its own price when a customer searches, gets a quote and orders at it', async () => {
  const [childPays, demoPays] = await costs();
  expect(new Set([childPays, demoPays, '15.00']).size).toBeGreaterThan(1);
  const before = [await shop.spendable(shop.child), await shop.spendable(), await shop.revenue(seller)] as const;
  ok(await two.order('of-the-neighbour.com', 'no_invoice'));
  const spent = Number(before[0]) - Number(await shop.spendable(shop.child));
  expect(spent).toBeCloseTo(Number(childPays), 2);
  const query = { domain: 'bought-by-itself.com,of-the-neighbour.com' };
  const found = ok(await t.call('GET', '/v1/domains/availability', { query, session }));
  expect(found.body[0]['bought-by-itself.com']).toEqual({ status: 'available', price: usd('15.00'), premium: false });
  // Domains of other customers of the same reseller are shown as taken.
  expect(found.body[1]).toEqual({
    'of-the-neighbour.com': { status: 'regthroughothers' },
    domain: 'of-the-neighbour.com',
    status: 'regthroughothers',
  });
  const wanted = { kind: 'register', domain_name: 'bought-by-itself.com', privacy_protection: true };
  const quote = ok(await post('/quotes', wanted));
  expect(quote.body).toMatchObject({ total: usd('19.00') });
  expect(quote.body.lines.map((each: { amount: object }) => each.amount)).toEqual([usd('15.00'), usd('4.00')]);
  // The reseller sees the customer's price beside its cost, the customer only its own.
  const sellers = ok(await t.call('POST', '/v1/quotes', { json: wanted, as: shop.child }));
  expect(sellers.body.customer_price).toEqual(usd('19.00'));
  expect(sellers.body.total).not.toEqual(usd('19.00'));
  expect(quote.body).not.toHaveProperty('customer_price');
  const order = orderOf(one, 'bought-by-itself.com', {
    quote_id: quote.body.quote_id,
    purchase_privacy_protection: true,
  });
  const dry = ok(await post('/domains', { ...order, dry_run: true }));
  expect(dry.body).toMatchObject({ dry_run: true, total: usd('19.00') });
  const at = await shop.spendable(shop.child);
  const made = ok(await post('/domains', order, { key: 'same-key' }));
  expect(made.body).toMatchObject({ status: 'Completed', domain_name: 'bought-by-itself.com' });
  expect(await one.bill(made.body.transaction_id)).toMatchObject({ status: 'completed', amount: 19, balance: 181 });
  expect(await one.funds()).toBe('181.00 held 0.00');
  expect(Number(at) - Number(await shop.spendable(shop.child))).toBeGreaterThan(0);
  expect((await shop.revenue(seller)) - before[2]).toBe(19_00n);
  const texts = [found, quote, dry, made].map(({ text }) => text).join('\n');
  for (const cost of [childPays, demoPays].filter((each) => each !== '15.00' && each !== '19.00'))
    expect(texts).not.toContain(cost);
  expect(texts).not.toContain('customer_price');
  // The same key is the same order; an equal key of its reseller is another order.
  const again = ok(await post('/domains', order, { key: 'same-key' }));
  expect([again.headers.get('idempotency-replayed'), again.body.operation_id]).toEqual([
    'true',
    made.body.operation_id,
  ]);
  const byReseller = await t.call('POST', '/v1/domains', {
    json: order,
    as: shop.child,
    headers: { 'Idempotency-Key': 'same-key' },
  });
  expect([byReseller.status, byReseller.headers.get('idempotency-replayed')]).toEqual([400, null]);
  const row = await t.ctx.db.as(allTenants).one(sql`
    select key_id, person ->> 'id' as person, kind, state from operation where id = ${made.body.operation_id}`);
  expect(row).toEqual({ key_id: null, person: `customer:${one.id}`, kind: 'register', state: 'done' });
});

test('renews, orders privacy protection and restores', async () => {
  const name = 'whole-life-of-its-own.com';
  ok(await post('/domains', orderOf(one, name)));
  expect(await one.funds()).toBe('166.00 held 0.00');
  const end = (await one.detail(name)).body.end_date as string;
  const pay = { invoice_option: 'pay_invoice' };
  const renewed = ok(await post(`/domains/${name}/renew`, { years: 1, current_date: end, ...pay }));
  expect(await one.bill(renewed.body.transaction_id)).toMatchObject({ status: 'completed', amount: 16 });
  ok(await post(`/domains/${name}/privacy_protection/buy`, { years: 1, ...pay }));
  expect(await one.funds()).toBe('146.00 held 0.00');
  t.moveClock('+61d');
  ok(await t.call('DELETE', `/v1/domains/${name}`, { as: shop.child }));
  session = await open(one);
  const quote = ok(await post('/quotes', { kind: 'restore', domain_name: name }));
  expect(quote.body.total).toEqual(usd('90.00'));
  ok(await post(`/domains/${name}/restore`, { ...pay, quote_id: quote.body.quote_id }));
  expect(await one.funds()).toBe('56.00 held 0.00');
  // Only its reseller can delete.
  expect((await t.call('DELETE', `/v1/domains/${name}`, { session })).status).toBe(404);
});

test("returns the missing amount of the customer's balance, and stores no order", async () => {
  const poor = await shop.buyer(shop.child, '14.99');
  const as = await open(poor);
  const refused = await post('/domains', orderOf(poor, 'one-cent-short.com'), { session: as });
  expect([refused.status, refused.body.code, refused.body.lacking]).toEqual([402, 'insufficient_funds', 'own']);
  expect(refused.body.missing).toEqual(usd('0.01'));
  const rows = await t.ctx.db.as(allTenants).one(sql`
    select (select count(*)::integer from domain where customer_id = ${poor.id}) as domains,
      (select count(*)::integer from waiting_order where customer_id = ${poor.id}) as waiting,
      (select count(*)::integer from ledger_transaction where customer_id = ${poor.id} and type = 'domain') as bills`);
  expect(rows).toEqual({ domains: 0, waiting: 0, bills: 0 });
  expect(await poor.funds()).toBe('14.99 held 0.00');
  // The customer does not see that its seller cannot pay.
  await t.ctx.db.transaction(allTenants, (tx) => tx.run(sql`update reseller set status = 'Suspended' where id = 1000`));
  const rich = await post('/domains', orderOf(one, 'seller-is-away.com'));
  await t.ctx.db.transaction(allTenants, (tx) => tx.run(sql`update reseller set status = 'Active' where id = 1000`));
  expect([rich.status, rich.body.code, rich.body.suspended]).toEqual([403, 'account_suspended', 'parent']);
});

test('carries out one of two concurrent orders when the balance covers only one', async () => {
  const as = await open(two);
  const names = ['race-a.com', 'race-b.com', 'race-c.com'];
  const called = await Promise.all(names.map((name) => post('/domains', orderOf(two, name), { session: as })));
  expect(called.map(({ status }) => status).sort()).toEqual([200, 402, 402]);
  expect(await two.funds()).toBe('0.00 held 0.00');
});

test('refuses a price that rose, a quote of another account, and another payment option', async () => {
  const dear = await post('/domains', orderOf(one, 'too-dear.com', { max_price: '14.99' }));
  expect([dear.status, dear.body.code, dear.body.price]).toEqual([400, 'price_guard', usd('15.00')]);
  const wanted = { kind: 'register', domain_name: 'too-dear.com' };
  const theirs = ok(await t.call('POST', '/v1/quotes', { json: wanted, as: shop.child }));
  const foreign = await post('/domains', orderOf(one, 'too-dear.com', { quote_id: theirs.body.quote_id }));
  expect([foreign.status, foreign.body.errors[0].field]).toEqual([400, 'quote_id']);
  for (const invoice_option of ['no_invoice', 'keep_invoice', 'only_add']) {
    const called = await post('/domains', orderOf(one, 'too-dear.com', { invoice_option }));
    expect([called.status, called.body.errors[0].field], invoice_option).toEqual([400, 'invoice_option']);
  }
  const forAnother = await post('/domains', { ...orderOf(one, 'too-dear.com'), customer_id: two.id });
  expect([forAnother.status, forAnother.body.errors[0].field]).toEqual([400, 'customer_id']);
  expect((await post('/quotes', { kind: 'transfer', domain_name: 'too-dear.com' })).status).toBe(400);
  const noPrice = await post('/domains', orderOf(one, 'too-dear.net'));
  expect([noPrice.status, noPrice.body.code], noPrice.text).toEqual([400, 'price_not_set']);
  expect(noPrice.body.message).not.toContain('price list');
  const lower = await open(one, 'manage');
  expect((await post('/domains', orderOf(one, 'too-dear.com'), { session: lower })).body.code).toBe('scope_missing');
  session = await open(one);
});

test("returns the money to the balance when the registry refuses, and hides the registry's text", async () => {
  const before = await one.funds();
  const called = await post('/domains', orderOf(one, 'refused-there.com', { ns: unknownHosts.ns.split(',') }));
  expect(called.status, called.text).toBe(400);
  expect(called.text).not.toMatch(/SBX-|registry_code|2303/);
  expect(await one.funds()).toBe(before);
});
