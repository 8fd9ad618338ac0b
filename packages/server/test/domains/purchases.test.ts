import { formatMoney, money } from '@namehold/base';
import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attemptAfresh } from '../../../../test/support/attempt.ts';
import { done, type OtherRegistrar, openOtherRegistrar } from '../../../../test/support/other-registrar.ts';
import { makeContact, makeCustomer } from '../../../../test/support/parties.ts';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { type Called, startTestService, type TestService } from '../../../../test/support/service.ts';
import { schedulerFor } from '../../src/core/actors.ts';
import { orderPurchase } from '../../src/core/domains/buy/order-purchase.ts';
import { purchases, type Sold, soldKinds } from '../../src/core/domains/buy/purchases.ts';
import { orderOf } from './life.ts';

/** Every purchase has one price: in a quote, in a dry run, and in the ledger after the order. */
interface Buyer {
  readonly as: string;
  readonly parties: Record<string, string>;
}
interface Case {
  readonly name: string;
  readonly years?: number;
  readonly privacy?: boolean;
  readonly buyer?: keyof typeof buyers;
}

let t: TestService;
let otherRegistrar: OtherRegistrar;
const transferCode = 'a-long-auth-code-4711';
const elsewhere: Case[] = [
  { name: 'comes-dollar.com' },
  { name: 'comes-euro.com', buyer: 'euro' },
  { name: 'comes-child.com', buyer: 'child' },
  { name: 'gem-comes.shop' },
];
const buyers: Record<'dollar' | 'euro' | 'child', Buyer> = {
  dollar: { as: '', parties: {} },
  euro: { as: '', parties: {} },
  child: { as: '', parties: {} },
};

beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  const euro = await makeReseller(t, t.operator, { currency: 'EUR' });
  const child = await makeReseller(t, t.demo);
  const price = (action: string, amount: string) => ({ tld: 'com', action, years: 1, amount, currency: 'EUR' });
  const prices = [
    price('create', '11.11'),
    price('renew', '12.22'),
    price('transfer', '13.33'),
    price('restore', '44.44'),
    price('privacy', '2.22'),
  ];
  const stored = await t.call('PUT', '/v1/account/price_list', {
    as: t.operator,
    json: { target: 'reseller', prices },
  });
  expect(stored.status, stored.text).toBe(200);
  Object.assign(buyers, {
    dollar: { as: t.demo, parties: {} },
    euro: { as: euro, parties: await partiesOf(euro) },
    child: { as: child, parties: await partiesOf(child) },
  });
  await fund(euro, t.operator);
  await fund(t.demo, t.operator);
  await fund(child, t.demo);
  otherRegistrar = openOtherRegistrar(t.service.credentials!.rival_registry_account!);
  for (const { name } of elsewhere)
    await otherRegistrar.hold(
      name,
      transferCode,
      name.endsWith('.shop') ? { amount: '120.00', currency: 'USD' } : undefined,
    );
});
afterAll(async () => {
  await otherRegistrar.close();
  await expectReconciled(t);
  await t.stop();
});

async function partiesOf(as: string): Promise<Record<string, string>> {
  const customer = await makeCustomer(t, as);
  const contact = await makeContact(t, customer, as);
  const roles = ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, contact]);
  return { customer_id: customer, ...Object.fromEntries(roles) };
}

async function fund(child: string, as: string): Promise<void> {
  const id = child.split(':')[0];
  const form = { amount: '3000.00', description: 'for the grid' };
  const called = await t.call('POST', `/v1/resellers/${id}/transactions/fund`, { as, form });
  expect(called.status, called.text).toBe(200);
}

const paths: Record<Sold, (name: string) => string> = {
  register: () => '/v1/domains',
  renew: (name) => `/v1/domains/${name}/renew`,
  transfer: () => '/v1/domains/transfer',
  restore: (name) => `/v1/domains/${name}/restore`,
  privacy: (name) => `/v1/domains/${name}/privacy_protection/buy`,
};

async function order(kind: Sold, one: Case, more: Record<string, string> = {}): Promise<Called> {
  const buyer = buyers[one.buyer ?? 'dollar'];
  const bare = { invoice_option: 'no_invoice', ...(one.years ? { years: String(one.years) } : {}) };
  const privacy = one.privacy ? { purchase_privacy_protection: '1' } : {};
  const forms: Record<Sold, () => Promise<Record<string, string>>> = {
    register: async () => ({ ...orderOf(one.name, buyer.parties), ...bare, ...privacy }),
    renew: async () => ({ ...bare, ...privacy, current_date: await endOf(one.name) }),
    transfer: async () => ({ ...orderOf(one.name, buyer.parties), ...bare, auth_code: transferCode }),
    restore: async () => bare,
    privacy: async () => bare,
  };
  return t.call('POST', paths[kind](one.name), { as: buyer.as, form: { ...(await forms[kind]()), ...more } });
}

async function endOf(name: string): Promise<string> {
  const { end_date } = await t.ctx.db
    .as(allTenants)
    .one<{ end_date: Date }>(sql`select end_date from domain where name = ${name} and state <> 'removed'`);
  return end_date.toISOString().slice(0, 10);
}

function quote(kind: Sold, one: Case): Promise<Called> {
  const json = {
    kind,
    domain_name: one.name,
    ...(one.years ? { years: one.years } : {}),
    ...(one.privacy ? { privacy_protection: true } : {}),
  };
  return t.call('POST', '/v1/quotes', { as: buyers[one.buyer ?? 'dollar'].as, json });
}

/** The amount that the ledger debited from the buyer for this order. */
async function charged(transactionId: string) {
  const row = await t.ctx.db
    .as(allTenants)
    .one<{ captured: string; currency: string }>(
      sql`select captured, currency from ledger_transaction where id = ${transactionId} and status = 'completed'`,
    );
  return { amount: formatMoney(money(BigInt(row.captured), row.currency)), currency: row.currency };
}

/** Gets the price in all three ways; the order uses the quote. */
async function expectSamePrice(kind: Sold, one: Case) {
  const title = `${kind} ${JSON.stringify(one)}`;
  const quoted = await quote(kind, one);
  expect(quoted.status, `${title}: ${quoted.text}`).toBe(200);
  const guard = { quote_id: quoted.body.quote_id as string };
  const dry = await order(kind, one, { ...guard, dry_run: '1' });
  expect(dry.status, `${title}: ${dry.text}`).toBe(200);
  const { kind: word, domain_name, years, lines, total, premium_class, what_happens } = quoted.body;
  expect(dry.body, title).toMatchObject({ kind: word, domain_name, years, lines, total, premium_class, what_happens });
  const ordered = await order(kind, one, guard);
  if (kind === 'transfer') await completeTransfer(one, ordered);
  else expect(ordered.status, `${title}: ${ordered.text}`).toBe(200);
  expect(await charged(ordered.body.transaction_id), title).toEqual(total);
  return { lines, total };
}

/** Its current registrar approves. */
async function completeTransfer(one: Case, ordered: Called): Promise<void> {
  expect(ordered.status, ordered.text).toBe(202);
  done(await otherRegistrar.registry.approveTransfer(one.name, { priority: 'money' }));
  await attemptAfresh(t.ctx, ordered.body.operation_id);
}

const testedKinds = new Set<Sold>();
async function buyAll(kind: Sold, cases: readonly Case[]): Promise<void> {
  testedKinds.add(kind);
  for (const one of cases) await expectSamePrice(kind, one);
}

const options = [
  { years: 1, privacy: false },
  { years: 1, privacy: true },
  { years: 2, privacy: false },
  { years: 3, privacy: true },
];
const grid = (['dollar', 'euro', 'child'] as const).flatMap((buyer) =>
  options.map((option, place): Case => ({ ...option, buyer, name: `grid-${buyer}-${place}.com` })),
);
const without = grid.filter((one) => !one.privacy);

test('quotes, dry-runs and charges a registration at the same price', () =>
  buyAll('register', [...grid, { name: 'tea.shop', years: 2 }, { name: 'shoes.shop', privacy: true }]));

test('quotes, dry-runs and charges a renewal at the same price', () => buyAll('renew', grid));

test('quotes and charges a premium renewal by its renewal fee, which differs from the purchase fee', async () => {
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(
      sql`update domain set premium_renewal_fee = premium_renewal_fee / 2 where name in ('tea.shop', 'shoes.shop')`,
    ),
  );
  await buyAll('renew', [
    { name: 'shoes.shop', years: 2 },
    { name: 'tea.shop', years: 1, privacy: true },
  ]);
});

test('quotes, dry-runs and charges privacy protection at the same price', () => buyAll('privacy', without));

test('quotes, dry-runs and charges a restore at the same price', async () => {
  t.moveClock('+6d');
  const names = [...without, { name: 'shoes.shop' }];
  for (const one of names) await drop(one);
  await buyAll(
    'restore',
    names.map(({ name, buyer }: Case) => ({ name, ...(buyer ? { buyer } : {}) })),
  );
});

test('includes another year in the price of restoring an expired domain', async () => {
  const names: Case[] = [{ name: 'out-plain.com' }, { name: 'out-euro.com', buyer: 'euro' }, { name: 'coffee.shop' }];
  await buyAll('register', names);
  t.moveClock('+350d');
  for (const one of names) await drop(one);
  t.moveClock('+20d');
  await buyAll('restore', names);
});

test('quotes, dry-runs and charges a transfer at the same price', () => buyAll('transfer', elsewhere));

async function drop(one: Case): Promise<void> {
  const called = await t.call('DELETE', `/v1/domains/${one.name}`, { as: buyers[one.buyer ?? 'dollar'].as });
  expect(called.status, called.text).toBe(200);
}

test('refuses quote, dry run and order for the same reason', async () => {
  const refused: [Sold, Case, string][] = [
    ['register', { name: 'grid-dollar-0.com' }, 'domain_not_available'],
    ['register', { name: 'gold.shop', buyer: 'euro' }, 'price_not_set'],
    ['register', { name: 'no-privacy.my.id', privacy: true }, 'domain_blocked'],
    ['renew', { name: 'grid-dollar-0.com', years: 10 }, 'invalid_argument'],
    ['transfer', { name: 'grid-dollar-0.com' }, 'transfer_not_possible'],
    ['transfer', { name: 'nobody-has-it.com' }, 'transfer_not_possible'],
    ['restore', { name: 'grid-dollar-0.com' }, 'conflict'],
    ['privacy', { name: 'grid-dollar-0.com', years: 10 }, 'invalid_argument'],
  ];
  for (const [kind, one, code] of refused) {
    const answers = [await quote(kind, one), await order(kind, one, { dry_run: '1' }), await order(kind, one)];
    const title = `${kind} ${JSON.stringify(one)}: ${answers.map((each) => each.text).join('\n')}`;
    expect(
      answers.map(({ body }) => body.code),
      title,
    ).toEqual([code, code, code]);
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.message}`)).size, title).toBe(1);
  }
});

test('refuses quote, dry run and order while an operation is open on the domain', async () => {
  await order('register', { name: 'busy-name.com' });
  await t.control('POST', '/faults', {
    kind: 'delay',
    ms: 4_000,
    commands: ['domain:update'],
    name: 'busy-name.com',
    limit: 1,
  });
  const ns = { ns: 'ns1.elsewhere.example,ns2.elsewhere.example' };
  const later = { form: ns, headers: { Prefer: 'respond-async' } };
  expect((await t.call('PUT', '/v1/domains/busy-name.com/ns', later)).status).toBe(202);
  for (const kind of ['renew', 'privacy'] as const) {
    const one: Case = { name: 'busy-name.com', years: 1 };
    const answers = [await order(kind, one), await quote(kind, one), await order(kind, one, { dry_run: '1' })];
    expect(answers.map(({ body }) => body.code)).toEqual(Array(3).fill('operation_in_progress'));
  }
});

test('refuses a quote with privacy protection for an order without it, and vice versa', async () => {
  for (const privacy of [true, false]) {
    const { body } = await quote('register', { name: 'hidden-or-not.com', privacy });
    const guard = { quote_id: body.quote_id as string };
    const other = await order('register', { name: 'hidden-or-not.com', privacy: !privacy }, guard);
    expect(other.body.errors, other.text).toMatchObject([{ field: 'quote_id', code: 'other_order' }]);
  }
});

test('checks the quote of a dry run like that of an order, without using it up', async () => {
  const one: Case = { name: 'looked-at.com' };
  const { body } = await quote('register', one);
  const guard = { quote_id: body.quote_id as string };
  const other = await order('register', { ...one, years: 2 }, { ...guard, dry_run: '1' });
  expect(other.body.errors).toMatchObject([{ field: 'quote_id', code: 'other_order' }]);
  for (let time = 0; time < 2; time += 1)
    expect((await order('register', one, { ...guard, dry_run: '1' })).status).toBe(200);
  expect((await order('register', one, guard)).status).toBe(200);
  const used = await order('register', { name: 'looked-at-2.com' }, { ...guard, dry_run: '1' });
  expect(used.body.code).toBe('quote_expired');
});

test('names a field in the refusal that the purchase does not have', async () => {
  const fieldOf = async (kind: Sold, one: Case) => (await quote(kind, one)).body.errors?.[0]?.field;
  expect(await fieldOf('restore', { name: 'grid-dollar-0.com', years: 2 })).toBe('years');
  expect(await fieldOf('restore', { name: 'grid-dollar-0.com', privacy: true })).toBe('privacy_protection');
  expect(await fieldOf('renew', { name: 'nobody-has-it.com' })).toBe('domain_name');
  expect(await fieldOf('renew', { name: 'grid-euro-0.com' })).toBe('domain_name');
});

test('executes a stored order later, checked and priced again under its price guard', async () => {
  const written = JSON.stringify({
    domainName: 'later.com',
    years: 1,
    privacy: false,
    parties: {
      customerId: '2001',
      contacts: { registrant: '3001', admin: '3001', tech: '3001', billing: '3001' },
      extra: {},
    },
    guard: { maxPrice: '12.39' },
  });
  const actor = {
    resellerId: '1000',
    keyId: null,
    address: 'test',
    requestId: 'req_later',
    scopes: [],
    isOperator: false,
  };
  const orderNow = () => orderPurchase(t.ctx, actor, purchases.register, JSON.parse(written));
  const reprice = (amount: string) =>
    t.call('PUT', '/v1/account/price_list', {
      as: t.operator,
      json: { target: 'reseller', prices: [{ tld: 'com', action: 'create', years: 1, amount, currency: 'USD' }] },
    });
  await reprice('12.40');
  await expect(orderNow()).rejects.toMatchObject({ code: 'price_guard' });
  await reprice('10.00');
  const { state, transaction_id } = await t.ctx.engine.startAndWait('1000', await orderNow(), 20_000);
  expect([state, await charged(transaction_id!)]).toEqual(['done', { amount: '10.00', currency: 'USD' }]);
  await expect(orderNow()).rejects.toMatchObject({ code: 'domain_not_available' });
});

test('orders as a background job with its own actor, and refuses a second order with the same date', async () => {
  const domain = await t.ctx.db
    .as(allTenants)
    .one<{ id: string; reseller_id: string }>(sql`select id, reseller_id from domain where name = 'later.com'`);
  const order = {
    domain: domain.id,
    customerId: undefined,
    years: 1,
    currentDate: await endOf('later.com'),
    privacy: false,
  };
  const orderNow = () => orderPurchase(t.ctx, schedulerFor(domain, 'test'), purchases.renew, { ...order, guard: {} });
  const { state } = await t.ctx.engine.startAndWait('1000', await orderNow(), 20_000);
  expect(state).toBe('done');
  await expect(orderNow()).rejects.toMatchObject({ code: 'already_renewed' });
});

test('returns the same refusal for quote, dry run and order below a suspended account', async () => {
  const one: Case = { name: 'below-suspended.com', years: 1, buyer: 'child' };
  const answers = async () => [
    await quote('register', one),
    await order('register', one, { dry_run: '1' }),
    await order('register', one),
  ];
  const setStatus = (word: string) => t.call('POST', `/v1/resellers/1000/${word}`, { as: t.operator, form: {} });
  expect((await setStatus('suspend')).status).toBe(200);
  const refused = await answers();
  expect(
    new Set(refused.map(({ status, body }) => `${status} ${body.code} ${body.suspended} ${body.message}`)).size,
  ).toBe(1);
  expect(refused[0]!.body).toMatchObject({ code: 'account_suspended', suspended: 'parent' });
  expect((await setStatus('activate')).status).toBe(200);
  expect((await answers()).map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('covers every kind of purchase', () => {
  expect([...testedKinds].sort()).toEqual([...soldKinds].sort());
});

test('names the domain in a repeated registration, and does not reveal it to another account', async () => {
  const form = orderOf('repeated-order.com');
  const first = await t.call('POST', '/v1/domains', { form });
  expect(first.status, first.text).toBe(200);
  const again = await t.call('POST', '/v1/domains', { form });
  expect([again.status, again.body.code, again.body.domain_id]).toEqual([
    400,
    'domain_not_available',
    first.body.domain_id,
  ]);
  expect(again.body.errors).toMatchObject([{ field: 'domain_name', code: 'domain_not_available' }]);
  expect(again.body.message).toContain(`already in your account, as domain ${first.body.domain_id}`);
  const { as, parties } = buyers.euro;
  const other = await t.call('POST', '/v1/domains', { form: { ...form, ...parties }, as });
  expect([other.status, other.body.code, other.body.domain_id]).toEqual([400, 'domain_not_available', undefined]);
  expect(other.body.message).toBe('The domain name is not available.');
});
