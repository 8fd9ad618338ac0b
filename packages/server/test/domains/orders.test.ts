import { everyTenant, sql } from '@namehold/base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { booksAgree } from '../../../../test/support/books.ts';
import { makeContact, makeCustomer } from '../../../../test/support/parties.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { openRival, type Rival } from '../../../../test/support/rival.ts';
import { type Called, startTestService, type TestService } from '../../../../test/support/service.ts';
import { lapseOrders } from '../../src/core/domains/orders/cancel.ts';

/** What customers pay: 15 for a registration, 16 for a renewal, 90 for a restore, 4 for privacy, 14 for a transfer. */
const prices = { create: '15.00', renew: '16.00', restore: '90.00', privacy: '4.00', transfer: '14.00' };

const transferCode = 'a-long-auth-code-4711';
let t: TestService;
let child: string;
let rival: Rival;

beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  child = await makeReseller(t, t.demo);
  for (const as of [t.demo, child]) await setPrices(as);
  await fundReseller(child.split(':')[0]!, t.demo);
  await fundReseller('1000', t.operator);
  rival = openRival(t.service.credentials!.rival_registry_account!);
  for (const name of ['comes-billed.com', 'comes-later.com']) await rival.hold(name, transferCode);
});
afterAll(async () => {
  await rival.close();
  await booksAgree(t);
  await t.stop();
});

async function setPrices(as: string): Promise<void> {
  const list = Object.entries(prices).map(([action, amount]) => ({
    tld: 'com',
    action,
    years: 1,
    amount,
    currency: 'USD',
  }));
  ok(await t.call('PUT', '/v1/account/price_list', { as, json: { target: 'customer', prices: list } }));
}

const fundReseller = async (id: string, as: string) =>
  ok(await t.call('POST', `/v1/resellers/${id}/transactions/fund`, { as, form: { amount: '2000', description: 'x' } }));

function ok(called: Called): Called {
  expect(called.status, called.text).toBe(200);
  return called;
}

/** Only the registry knows that they are not there. */
const unknownHosts = { ns: 'ns1.nobody-holds-this.com,ns2.nobody-holds-this.com' };

class Buyer {
  readonly id: string;
  readonly contact: string;
  readonly as: string;
  constructor(id: string, contact: string, as: string) {
    this.id = id;
    this.contact = contact;
    this.as = as;
  }
  order(name: string, invoice: string, more: Record<string, string> = {}) {
    const roles = ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, this.contact]);
    const form = {
      domain_name: name,
      customer_id: this.id,
      ...Object.fromEntries(roles),
      invoice_option: invoice,
      ...more,
    };
    return t.call('POST', '/v1/domains', { form, as: this.as });
  }
  do(verb: string, form: Record<string, string>, headers: Record<string, string> = {}) {
    return t.call('POST', `/v1/customers/${this.id}/transactions/${verb}`, { form, as: this.as, headers });
  }
  async fund(amount: string) {
    ok(await this.do('fund', { amount, description: 'paid in' }));
  }
  async funds() {
    const { body } = await t.call('GET', `/v1/customers/${this.id}/funds`, { as: this.as });
    return `${body.balance.amount} held ${body.held.amount}`;
  }
  async bill(id: string) {
    return ok(await t.call('GET', `/v1/customers/${this.id}/transactions/${id}`, { as: this.as })).body;
  }
  detail(name: string) {
    return t.call('GET', `/v1/domains/${name}`, { as: this.as });
  }
}

async function buyer(as = t.demo, paidIn?: string): Promise<Buyer> {
  const id = await makeCustomer(t, as);
  const made = new Buyer(id, await makeContact(t, id, as), as);
  if (paidIn) await made.fund(paidIn);
  return made;
}

const spendable = async (as = t.demo) =>
  (await t.call('GET', '/v1/account/funds', { as })).body.balance.amount as string;
const held = async (as = t.demo) => (await t.call('GET', '/v1/account/funds', { as })).body.held.amount as string;
/** The reseller's revenue, in minor units. */
async function revenue(resellerId: string): Promise<bigint> {
  const row = await t.house.db.as(everyTenant).one<{ total: string }>(sql`
    select coalesce(sum(e.amount), 0) as total from ledger_entry e join ledger_account a on a.id = e.account_id
    where a.kind = 'revenue' and a.reseller_id = ${resellerId}`);
  return BigInt(row.total);
}

describe('at once', () => {
  test('keep_invoice runs now and leaves a bill, which is paid from the balance when there is one', async () => {
    const one = await buyer();
    const before = await revenue('1000');
    const made = ok(await one.order('kept.com', 'keep_invoice')).body;
    expect(made).toMatchObject({ status: 'Completed', domain_name: 'kept.com' });
    expect(await one.bill(made.transaction_id)).toMatchObject({
      status: 'unpaid',
      amount: 15,
      customer_id: one.id,
      domain_id: made.domain_id,
      operation_id: made.operation_id,
      settled_at: null,
    });
    expect(await one.funds()).toBe('0.00 held 0.00');
    const unpaid = ok(await t.call('GET', `/v1/customers/${one.id}/transactions`, { query: { only_pending: 'true' } }));
    expect(unpaid.body.map((each: { transaction_id: string }) => each.transaction_id)).toEqual([made.transaction_id]);
    const pay = { transaction_id: made.transaction_id, subtract_balance: 'true' };
    const poor = await one.do('pay', pay);
    expect([poor.status, poor.body.code, poor.body.lacking, poor.body.missing.amount]).toEqual([
      402,
      'insufficient_funds',
      'customer',
      '15.00',
    ]);
    await one.fund('20');
    expect(ok(await one.do('pay', pay)).body).toMatchObject({ status: 'completed', amount: 15, balance: 5 });
    expect(await one.funds()).toBe('5.00 held 0.00');
    expect((await revenue('1000')) - before).toBe(15_00n);
    const again = await one.do('pay', pay);
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);
    expect(again.body.message).toContain('is paid already');
  });

  test('pay_invoice takes it from the balance, and the reseller pays its own price beside it', async () => {
    const one = await buyer(t.demo, '40');
    const before = await spendable();
    const dry = ok(await one.order('paid.com', 'pay_invoice', { dry_run: '1' })).body;
    expect(dry.customer_price).toEqual({ amount: '15.00', currency: 'USD' });
    const made = ok(await one.order('paid.com', 'PayInvoice')).body;
    expect(await one.bill(made.transaction_id)).toMatchObject({ status: 'completed', amount: 15, balance: 25 });
    expect(await one.funds()).toBe('25.00 held 0.00');
    expect(Number(before) - Number(await spendable())).toBeCloseTo(Number(dry.total.amount), 2);
  });

  test('a price for customers there is none: refused, and told where to set it; no_invoice goes on', async () => {
    const one = await buyer(child, '40');
    for (const option of ['keep_invoice', 'pay_invoice', 'only_add']) {
      const called = await one.order('no-price.net', option);
      expect([called.status, called.body.code], called.text).toEqual([400, 'price_not_set']);
      expect(called.body.message).toContain('price list for customers');
    }
    ok(await one.order('no-price.net', 'no_invoice'));
    expect(await one.funds()).toBe('40.00 held 0.00');
  });

  test('a missing or strange invoice_option is a bad field; privacy protection goes without', async () => {
    const one = await buyer();
    const form = { domain_name: 'x.com', customer_id: one.id };
    const missing = await t.call('POST', '/v1/domains', { form });
    expect(missing.status).toBe(400);
    expect(missing.body.errors.map((each: { field: string }) => each.field)).toContain('invoice_option');
    expect((await one.order('x.com', 'later')).body.errors[0].field).toBe('invoice_option');
    ok(await one.order('plain-privacy.com', 'no_invoice'));
    ok(await t.call('POST', '/v1/domains/plain-privacy.com/privacy_protection/buy', { form: {} }));
    expect((await t.call('GET', `/v1/customers/${one.id}/transactions`)).body).toEqual([]);
  });

  test('every purchase can be kept or paid: renewal, privacy, restore, transfer', async () => {
    const one = await buyer(t.demo, '200');
    ok(await one.order('whole-life.com', 'pay_invoice'));
    const end = (await one.detail('whole-life.com')).body.end_date;
    const post = (path: string, form: Record<string, string>) =>
      t.call('POST', `/v1/domains/whole-life.com/${path}`, { form });
    ok(await post('renew', { years: '2', current_date: end, invoice_option: 'pay_invoice' }));
    ok(await post('privacy_protection/buy', { years: '1', invoice_option: 'pay_invoice' }));
    expect(await one.funds()).toBe('149.00 held 0.00');
    t.moveClock('+61d');
    ok(await t.call('DELETE', '/v1/domains/whole-life.com'));
    const restored = ok(await post('restore', { invoice_option: 'keep_invoice' })).body;
    expect(await one.bill(restored.transaction_id)).toMatchObject({ status: 'unpaid', amount: 90, action: 'restore' });
    const roles = ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, one.contact]);
    const moved = await t.call('POST', '/v1/domains/transfer', {
      form: {
        domain_name: 'comes-billed.com',
        customer_id: one.id,
        ...Object.fromEntries(roles),
        auth_code: transferCode,
        invoice_option: 'pay_invoice',
      },
    });
    expect(moved.status, moved.text).toBe(202);
    expect(await one.bill(moved.body.transaction_id)).toMatchObject({ status: 'pending', amount: 14 });
    expect(await one.funds()).toBe('135.00 held 14.00');
    // Cancelled, the money is back on the balance.
    ok(await t.call('POST', '/v1/domains/comes-billed.com/transfer/cancel', { form: {} }));
    await expect.poll(async () => (await one.bill(moved.body.transaction_id)).status).toBe('cancelled');
    expect(await one.funds()).toBe('149.00 held 0.00');
  });

  test('what is given back within a grace comes back to the customer, or off its bill', async () => {
    const one = await buyer(t.demo, '15');
    const paid = ok(await one.order('regret-paid.com', 'pay_invoice')).body;
    const kept = ok(await one.order('regret-kept.com', 'keep_invoice')).body;
    for (const name of ['regret-paid.com', 'regret-kept.com']) ok(await t.call('DELETE', `/v1/domains/${name}`));
    expect(await one.bill(paid.transaction_id)).toMatchObject({ status: 'refunded' });
    expect(await one.bill(kept.transaction_id)).toMatchObject({ status: 'cancelled' });
    expect(await one.funds()).toBe('15.00 held 0.00');
    const late = await one.do('pay', { transaction_id: kept.transaction_id, subtract_balance: 'false' });
    expect([late.status, late.body.message]).toEqual([409, expect.stringContaining('is cancelled')]);
  });

  test('what the registry refuses goes back to the balance, and an open bill falls away', async () => {
    const one = await buyer(t.demo, '15');
    const before = [await spendable(), await held()];
    for (const option of ['pay_invoice', 'keep_invoice']) {
      const called = await one.order(`refused-${option.split('_')[0]}.com`, option, unknownHosts);
      expect([called.status, called.body.operation_id !== undefined], called.text).toEqual([400, true]);
    }
    const bills = (
      await t.call('GET', `/v1/customers/${one.id}/transactions`, { query: { transaction_type: 'domain' } })
    ).body;
    expect(bills.map((each: { status: string }) => each.status)).toEqual(['cancelled', 'cancelled']);
    expect(await one.funds()).toBe('15.00 held 0.00');
    expect([await spendable(), await held()]).toEqual(before);
  });
});

describe('orders that wait', () => {
  test('only_add holds neither money nor the name; it is shown as unpaid, and runs when it is paid', async () => {
    const one = await buyer();
    const before = [await spendable(), await held()];
    const made = ok(await one.order('waits.com', 'only_add')).body;
    expect(made).toMatchObject({
      status: 'Unpaid',
      operation_id: null,
      domain_name: 'waits.com',
      customer_price: { amount: '15.00', currency: 'USD' },
      order_id: made.domain_id,
    });
    expect([await spendable(), await held()]).toEqual(before);
    expect(await one.bill(made.transaction_id)).toMatchObject({ status: 'unpaid', amount: 15, operation_id: null });
    expect((await one.detail(made.domain_id)).body).toMatchObject({ order_status: 'Unpaid', status: 'unpaid' });
    const listed = ok(await t.call('GET', '/v1/domains', { query: { status: 'Unpaid', customer_id: one.id } })).body;
    expect(listed.map((each: { domain_name: string }) => each.domain_name)).toEqual(['waits.com']);
    const free = ok(await t.call('GET', '/v1/domains/availability', { query: { domain: 'waits.com' } })).body;
    expect(free[0]['waits.com'].status).toBe('available');
    const changed = await t.call('PUT', '/v1/domains/waits.com/ns', { form: { ns: 'ns1.x.example,ns2.x.example' } });
    expect([changed.status, changed.body.message]).toEqual([409, expect.stringContaining('waits to be paid')]);
    const poor = await one.do('pay_add_only', { transaction_id: made.transaction_id });
    expect([poor.status, poor.body.lacking]).toEqual([402, 'customer']);
    await one.fund('15');
    expect(ok(await one.do('pay_add_only', { transaction_id: made.transaction_id })).body).toMatchObject({
      status: 'completed',
      transaction_id: made.transaction_id,
      domain_id: made.domain_id,
    });
    expect((await one.detail('waits.com')).body).toMatchObject({ domain_id: made.domain_id, order_status: 'Live' });
    expect(await one.funds()).toBe('0.00 held 0.00');
  });

  test('pay_invoice waits where the balance does not suffice, and retry pays it when it does', async () => {
    const one = await buyer(t.demo, '10');
    const made = ok(await one.order('short.com', 'pay_invoice')).body;
    expect(made.status).toBe('Unpaid');
    expect((await one.do('retry', { transaction_id: made.transaction_id })).status).toBe(402);
    expect(await one.funds()).toBe('10.00 held 0.00');
    await one.fund('5');
    expect(ok(await one.do('retry', { transaction_id: made.transaction_id })).body.status).toBe('completed');
    expect(ok(await one.do('retry', { transaction_id: made.transaction_id })).body.status).toBe('completed');
    expect(await one.funds()).toBe('0.00 held 0.00');
  });

  test('pay without subtract_balance: the money came in with it, and stands in the books as a deposit', async () => {
    const one = await buyer();
    const made = ok(await one.order('cash.com', 'only_add')).body;
    ok(await one.do('pay', { transaction_id: made.transaction_id, subtract_balance: '0' }));
    const rows = (await t.call('GET', `/v1/customers/${one.id}/transactions`)).body;
    expect(
      rows.map((each: { transaction_type: string; amount: number }) => [each.transaction_type, each.amount]),
    ).toEqual([
      ['deposit', 15],
      ['domain', 15],
    ]);
    const { total_receipts } = (await t.call('GET', `/v1/customers/${one.id}`)).body;
    expect([await one.funds(), total_receipts]).toEqual(['0.00 held 0.00', '15.00']);
  });

  test('execute runs without payment: the bill stays open, or is cancelled', async () => {
    const one = await buyer();
    const [open, forgiven] = [
      ok(await one.order('executed-open.com', 'only_add')).body,
      ok(await one.order('executed-free.com', 'only_add')).body,
    ];
    const execute = (id: string, cancel: string) => one.do('execute', { transaction_id: id, cancel_invoice: cancel });
    expect(ok(await execute(open.transaction_id, 'false')).body).toMatchObject({ status: 'unpaid', amount: 15 });
    expect(ok(await execute(forgiven.transaction_id, 'true')).body).toMatchObject({ status: 'cancelled' });
    for (const name of ['executed-open.com', 'executed-free.com'])
      expect((await one.detail(name)).body.order_status).toBe('Live');
    const again = await execute(open.transaction_id, 'true');
    expect([again.status, again.body.message]).toEqual([409, expect.stringContaining('has run')]);
    const only = await one.do('pay_add_only', { transaction_id: open.transaction_id });
    expect([only.status, only.body.message]).toEqual([409, expect.stringContaining('pay it as an open bill')]);
    const cancelled = await one.do('cancel', { transaction_id: open.transaction_id });
    expect([cancelled.status, cancelled.body.message]).toEqual([
      409,
      expect.stringContaining('no longer be cancelled'),
    ]);
    ok(await one.do('pay', { transaction_id: open.transaction_id, subtract_balance: 'false' }));
    expect((await one.do('pay', { transaction_id: forgiven.transaction_id, subtract_balance: 'false' })).status).toBe(
      409,
    );
  });

  test('cancel gives it up, once; the name has a tombstone, and a payment for it is refused', async () => {
    const one = await buyer(t.demo, '50');
    const made = ok(await one.order('given-up.com', 'only_add')).body;
    for (let time = 0; time < 2; time += 1)
      expect(ok(await one.do('cancel', { transaction_id: made.transaction_id })).body.status).toBe('cancelled');
    expect((await one.detail(made.domain_id)).body.order_status).toBe('Cancelled');
    for (const verb of ['pay_add_only', 'retry'])
      expect((await one.do(verb, { transaction_id: made.transaction_id })).status).toBe(409);
    expect(await one.funds()).toBe('50.00 held 0.00');
  });

  test('a list is answered as a list, all or none of it', async () => {
    const one = await buyer(t.demo, '40');
    const names = ['many-1.com', 'many-2.com', 'many-3.com'];
    const ids: string[] = [];
    for (const name of names) ids.push(ok(await one.order(name, 'only_add')).body.transaction_id);
    const short = await one.do('pay_add_only', { transaction_id: ids.join(',') });
    expect([short.status, await one.funds()]).toEqual([402, '40.00 held 0.00']);
    for (const name of names) expect((await one.detail(name)).body.order_status).toBe('Unpaid');
    const paid = ok(await one.do('pay_add_only', { transaction_id: ids.slice(0, 2).join(',') })).body;
    expect(paid.map((each: { status: string }) => each.status)).toEqual(['completed', 'completed']);
    const strange = await one.do('execute', { transaction_id: `${ids[2]},999999`, cancel_invoice: 'false' });
    expect([strange.status, strange.body.errors[0].field]).toEqual([400, 'transaction_id']);
    expect((await one.detail('many-3.com')).body.order_status).toBe('Unpaid');
    expect(await one.funds()).toBe('10.00 held 0.00');
  });

  test('the name may be gone by then: told, and nothing is taken', async () => {
    const [first, second] = [await buyer(t.demo, '15'), await buyer(child, '15')];
    const waiting = ok(await first.order('wanted.com', 'only_add')).body;
    const twin = ok(await second.order('wanted.com', 'only_add')).body;
    ok(await second.do('pay_add_only', { transaction_id: twin.transaction_id }));
    const late = await first.do('pay_add_only', { transaction_id: waiting.transaction_id });
    expect([late.status, late.body.code]).toEqual([400, 'domain_not_available']);
    expect([await first.funds(), await second.funds()]).toEqual(['15.00 held 0.00', '0.00 held 0.00']);
    expect((await first.bill(waiting.transaction_id)).status).toBe('unpaid');
    // What only the registry can refuse: paid, placed, and back on the balance.
    const refused = ok(await first.order('refused-late.com', 'only_add', unknownHosts)).body;
    const told = await first.do('pay_add_only', { transaction_id: refused.transaction_id });
    expect(told.status, told.text).toBe(400);
    expect(await first.funds()).toBe('15.00 held 0.00');
    expect((await first.bill(refused.transaction_id)).status).toBe('cancelled');
  });

  test('it is priced anew, under its guard; the bill is as the customer was told', async () => {
    const one = await buyer(t.demo, '100');
    const reprice = async (amount: string) =>
      ok(
        await t.call('PUT', '/v1/account/price_list', {
          as: t.operator,
          json: { target: 'reseller', prices: [{ tld: 'com', action: 'create', years: 1, amount, currency: 'USD' }] },
        }),
      );
    await reprice('11.00');
    const quote = ok(
      await t.call('POST', '/v1/quotes', { json: { kind: 'register', domain_name: 'quoted.com' } }),
    ).body;
    const guarded = ok(await one.order('guarded.com', 'only_add', { max_price: '11.50' })).body;
    const quoted = ok(await one.order('quoted.com', 'only_add', { quote_id: quote.quote_id })).body;
    const free = ok(await one.order('unguarded.com', 'only_add')).body;
    await reprice('12.00');
    t.moveClock('+1h');
    for (const each of [guarded, quoted]) {
      const called = await one.do('pay_add_only', { transaction_id: each.transaction_id });
      expect([called.status, called.body.code]).toEqual([400, 'price_guard']);
    }
    ok(await one.do('pay_add_only', { transaction_id: free.transaction_id }));
    await reprice('10.00');
    ok(await one.do('pay_add_only', { transaction_id: guarded.transaction_id }));
    expect(await one.funds()).toBe('70.00 held 0.00');
  });

  test('renewals wait too, and the date that they were ordered with keeps them from renewing twice', async () => {
    const one = await buyer(t.demo, '60');
    ok(await one.order('renewed-later.com', 'no_invoice'));
    const end = (await one.detail('renewed-later.com')).body.end_date;
    const form = { years: '1', current_date: end, invoice_option: 'only_add' };
    const [first, second] = [
      ok(await t.call('POST', '/v1/domains/renewed-later.com/renew', { form })).body,
      ok(await t.call('POST', '/v1/domains/renewed-later.com/renew', { form })).body,
    ];
    ok(await one.do('pay_add_only', { transaction_id: first.transaction_id }));
    const twice = await one.do('pay_add_only', { transaction_id: second.transaction_id });
    expect(twice.body.code, twice.text).toBe('already_renewed');
    expect(await one.funds()).toBe('44.00 held 0.00');
    ok(await one.do('cancel', { transaction_id: second.transaction_id }));
    expect((await one.detail('renewed-later.com')).body.order_status).toBe('Live');
  });

  test('a code of another registrar is kept sealed while the order waits', async () => {
    const one = await buyer(t.demo, '14');
    const code = transferCode;
    const roles = ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, one.contact]);
    const form = { domain_name: 'comes-later.com', customer_id: one.id, ...Object.fromEntries(roles), auth_code: code };
    const made = ok(
      await t.call('POST', '/v1/domains/transfer', { form: { ...form, invoice_option: 'only_add' } }),
    ).body;
    const row = await t.house.db
      .as(everyTenant)
      .one<{ row: string }>(
        sql`select w::text as row from waiting_order w where transaction_id = ${made.transaction_id}`,
      );
    expect(row.row).not.toContain(code);
    expect(ok(await one.do('pay_add_only', { transaction_id: made.transaction_id })).body.status).toBe('pending');
    expect((await one.detail('comes-later.com')).body.order_status).toBe('Pending Transfer');
  });

  test('nobody pays in time: it lapses, and what was paid in stays', async () => {
    const one = await buyer(t.demo, '9');
    const made = ok(await one.order('never-paid.com', 'pay_invoice')).body;
    t.moveClock('+29d');
    await lapseOrders(t.house);
    expect((await one.bill(made.transaction_id)).status).toBe('unpaid');
    t.moveClock('+2d');
    await expect.poll(async () => (await one.bill(made.transaction_id)).status).toBe('cancelled');
    expect((await one.detail(made.domain_id)).body.order_status).toBe('Cancelled');
    expect(await one.funds()).toBe('9.00 held 0.00');
    const { body } = await t.call('GET', '/v1/events', { query: { type: 'order.cancelled', limit: '100' } });
    const events = (body.events ?? body) as { object_id: string; payload: { reason: string } }[];
    expect(events.find((each) => each.object_id === made.transaction_id)?.payload.reason).toBe('unpaid');
  });

  test('fifty at once of execute, pay and cancel: one effect', async () => {
    const one = await buyer(t.demo, '100');
    const before = Number(await spendable());
    const made = ok(await one.order('fifty.com', 'only_add')).body;
    const calls = Array.from({ length: 50 }, (_, place) => {
      const id = { transaction_id: made.transaction_id as string };
      if (place % 3 === 0) return one.do('execute', { ...id, cancel_invoice: 'true' });
      if (place % 3 === 1) return one.do('pay', { ...id, subtract_balance: 'true' });
      return one.do('cancel', id);
    });
    const said = await Promise.all(calls);
    const { status } = await one.bill(made.transaction_id);
    const state = (await one.detail(made.domain_id)).body.order_status as string;
    const spent = before - Number(await spendable());
    const balance = await one.funds();
    const purchases = await t.house.db.as(everyTenant).many(sql`
      select id from ledger_transaction where domain_id = ${made.domain_id} and customer_id is null`);
    const isPaid = status === 'completed';
    const isLive = state === 'Live';
    expect([state, status]).toEqual(isLive ? ['Live', isPaid ? 'completed' : 'cancelled'] : ['Cancelled', 'cancelled']);
    expect([purchases.length, spent > 0, balance]).toEqual([
      isLive ? 1 : 0,
      isLive,
      isPaid ? '85.00 held 0.00' : '100.00 held 0.00',
    ]);
    expect(said.filter((each) => each.status >= 500).map((each) => each.text)).toEqual([]);
    const effects = said.filter((each, place) => each.status === 200 && place % 3 !== 2);
    expect(effects).toHaveLength(isLive ? 1 : 0);
  });

  test('the same Idempotency-Key pays and records once', async () => {
    const one = await buyer(t.demo, '100');
    const headers = { 'Idempotency-Key': `order-${one.id}` };
    const roles = ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, one.contact]);
    const form = {
      domain_name: 'once-waiting.com',
      customer_id: one.id,
      ...Object.fromEntries(roles),
      invoice_option: 'only_add',
    };
    const [first, again] = [
      await t.call('POST', '/v1/domains', { form, headers }),
      await t.call('POST', '/v1/domains', { form, headers }),
    ];
    expect(again.body).toEqual(ok(first).body);
    const pay = () =>
      one.do('pay_add_only', { transaction_id: first.body.transaction_id }, { 'Idempotency-Key': `pay-${one.id}` });
    expect(ok(await pay()).body.transaction_id).toBe(ok(await pay()).body.transaction_id);
    expect(await one.funds()).toBe('85.00 held 0.00');
  });
});

describe('what is refused', () => {
  test('bad ids, amounts and flags name their field', async () => {
    const one = await buyer(t.demo, '5');
    const made = ok(await one.order('bad-input.com', 'only_add')).body;
    const id = { transaction_id: made.transaction_id as string };
    const bad: [string, Record<string, string>, string][] = [
      ['pay', { subtract_balance: 'true' }, 'transaction_id'],
      ['pay', id, 'subtract_balance'],
      ['pay', { ...id, subtract_balance: 'perhaps' }, 'subtract_balance'],
      ['pay', { transaction_id: 'x,y', subtract_balance: 'true' }, 'transaction_id'],
      ['pay', { transaction_id: '1.5', subtract_balance: 'true' }, 'transaction_id'],
      ['pay', { transaction_id: '-1', subtract_balance: 'true' }, 'transaction_id'],
      ['pay_add_only', { transaction_id: '' }, 'transaction_id'],
      ['execute', id, 'cancel_invoice'],
      ['execute', { transaction_id: Array(21).fill('1').join(','), cancel_invoice: '1' }, 'transaction_id'],
      ['cancel', { transaction_id: `${made.transaction_id},${made.transaction_id}` }, 'transaction_id'],
      ['retry', { transaction_id: '999999999' }, 'transaction_id'],
      ['fund', { amount: '-5', description: 'x' }, 'amount'],
      ['fund', { amount: '0', description: 'x' }, 'amount'],
      ['fund', { amount: '1.005', description: 'x' }, 'amount'],
      ['debit_note', { amount: '0.00', description: 'x' }, 'amount'],
    ];
    for (const [verb, form, field] of bad) {
      const called = await one.do(verb, form);
      expect([verb, called.status, called.body.errors?.[0]?.field], called.text).toEqual([verb, 400, field]);
    }
    expect((await one.do('debit_note', { amount: '5.01', description: 'more than is there' })).status).toBe(402);
    expect(await one.funds()).toBe('5.00 held 0.00');
    expect((await one.bill(made.transaction_id)).status).toBe('unpaid');
  });

  test('deposits, notes and orders of others are no orders of this customer', async () => {
    const [one, other, stranger] = [await buyer(t.demo, '50'), await buyer(), await buyer(child, '50')];
    const made = ok(await one.order('not-yours.com', 'only_add')).body;
    const deposit = (
      await t.call('GET', `/v1/customers/${one.id}/transactions`, { query: { transaction_type: 'deposit' } })
    ).body[0];
    for (const [who, id] of [
      [other, made.transaction_id],
      [stranger, made.transaction_id],
      [one, deposit.transaction_id],
    ] as const) {
      for (const [verb, more] of [
        ['pay', { subtract_balance: 'false' }],
        ['pay_add_only', {}],
        ['execute', { cancel_invoice: 'true' }],
        ['cancel', {}],
        ['retry', {}],
      ] as const) {
        const called = await who.do(verb, { transaction_id: id, ...more });
        expect([called.status, called.body.errors?.[0]?.field], `${verb} ${called.text}`).toEqual([
          400,
          'transaction_id',
        ]);
      }
    }
    const foreign = await t.call('POST', `/v1/customers/${stranger.id}/transactions/cancel`, {
      form: { transaction_id: made.transaction_id },
    });
    expect(foreign.status).toBe(404);
    expect((await one.bill(made.transaction_id)).status).toBe('unpaid');
    expect([await one.funds(), await other.funds()]).toEqual(['50.00 held 0.00', '0.00 held 0.00']);
  });

  test('a reseller below cannot pay: nobody pays, not its customer either, and the order waits on', async () => {
    const poor = await makeReseller(t, child);
    await setPrices(poor);
    for (const as of [child]) {
      const list = ['create', 'renew'].map((action) => ({
        tld: 'com',
        action,
        years: 1,
        amount: '13.00',
        currency: 'USD',
      }));
      ok(await t.call('PUT', '/v1/account/price_list', { as, json: { target: 'reseller', prices: list } }));
    }
    const one = await buyer(poor, '15');
    const refused = await one.order('too-poor.com', 'pay_invoice');
    expect([refused.status, refused.body.missing.amount]).toEqual([402, '13.00']);
    const made = ok(await one.order('too-poor.com', 'only_add')).body;
    expect((await one.do('pay_add_only', { transaction_id: made.transaction_id })).status).toBe(402);
    expect(await one.funds()).toBe('15.00 held 0.00');
    await fundReseller(poor.split(':')[0]!, child);
    const before = [await spendable(child), await spendable()];
    const revenues = [await revenue(poor.split(':')[0]!), await revenue(child.split(':')[0]!)];
    ok(await one.do('retry', { transaction_id: made.transaction_id }));
    const after = [await revenue(poor.split(':')[0]!), await revenue(child.split(':')[0]!)];
    expect([after[0]! - revenues[0]!, after[1]! - revenues[1]!]).toEqual([15_00n, 13_00n]);
    expect(
      [await spendable(child), await spendable()].every((each, place) => Number(each) < Number(before[place])),
    ).toBe(true);
  });
});

describe('what stands in the way is told, and money stays in reach', () => {
  const remove = (one: Buyer) => t.call('DELETE', `/v1/customers/${one.id}`, { as: one.as });
  const moveTo = async (name: string, from: Buyer, to: Buyer) => {
    ok(await t.call('DELETE', `/v1/domains/${name}/theft_protection`));
    const form = { existing_customer_id: from.id, new_customer_id: to.id, new_reseller_id: '1000' };
    ok(await t.call('POST', `/v1/domains/${name}/move`, { form: { ...form, default_contacts: 'default' } }));
  };

  test('a customer with money or open bills is not deleted', async () => {
    const [one, next] = [await buyer(t.demo, '20'), await buyer()];
    const rich = await remove(one);
    expect([rich.status, rich.body.code, rich.body.message]).toEqual([
      409,
      'in_use',
      expect.stringContaining('20.00 USD'),
    ]);
    ok(await one.do('debit_note', { amount: '20', description: 'given back' }));
    const kept = ok(await one.order('leaves-a-bill.com', 'keep_invoice')).body;
    await moveTo('leaves-a-bill.com', one, next);
    const owing = await remove(one);
    expect([owing.status, owing.body.message]).toEqual([409, expect.stringContaining(kept.transaction_id)]);
    ok(await one.do('pay', { transaction_id: kept.transaction_id, subtract_balance: 'false' }));
    ok(await remove(one));
    expect((await t.call('GET', `/v1/customers/${one.id}`)).status).toBe(404);
  });

  test('what comes back to a deleted customer can be seen and given back', async () => {
    const [one, next] = [await buyer(), await buyer()];
    const made = ok(await one.order('comes-back.com', 'only_add')).body;
    ok(await one.do('pay', { transaction_id: made.transaction_id, subtract_balance: 'false' }));
    await moveTo('comes-back.com', one, next);
    ok(await remove(one));
    ok(await t.call('DELETE', '/v1/domains/comes-back.com'));
    expect(await one.funds()).toBe('15.00 held 0.00');
    expect((await one.bill(made.transaction_id)).status).toBe('refunded');
    ok(await one.do('debit_note', { amount: '15', description: 'paid out' }));
    expect(await one.funds()).toBe('0.00 held 0.00');
    expect((await one.do('fund', { amount: '1', description: 'x' })).status).toBe(404);
  });

  test('orders for one name in one call, and which of several lacks what', async () => {
    const one = await buyer(t.demo, '40');
    ok(await one.order('twice.com', 'no_invoice'));
    const form = {
      years: '1',
      current_date: (await one.detail('twice.com')).body.end_date,
      invoice_option: 'only_add',
    };
    const renewals: string[] = [];
    for (let time = 0; time < 2; time += 1)
      renewals.push(ok(await t.call('POST', '/v1/domains/twice.com/renew', { form })).body.transaction_id);
    const both = await one.do('pay', { transaction_id: renewals.join(','), subtract_balance: 'true' });
    expect([both.status, both.body.errors[0].field]).toEqual([400, 'transaction_id']);
    expect(both.body.message).toContain('one after the other');
    ok(await one.do('pay', { transaction_id: renewals[0]!, subtract_balance: 'true' }));
    const late = await one.do('pay', { transaction_id: renewals[1]!, subtract_balance: 'true' });
    expect([late.body.code, late.body.message]).toEqual(['already_renewed', expect.stringContaining('order anew')]);
    expect(late.text).not.toContain('send current_date');
    const ids: string[] = [];
    for (const name of ['lack-1.com', 'lack-2.com', 'lack-3.com'])
      ids.push(ok(await one.order(name, 'only_add')).body.transaction_id);
    const poor = await one.do('pay_add_only', { transaction_id: ids.join(',') });
    expect([poor.status, poor.body.missing.amount]).toEqual([402, '21.00']);
    ok(await (await buyer(child)).order('lack-2.com', 'no_invoice'));
    await one.fund('21');
    const taken = await one.do('pay_add_only', { transaction_id: ids.join(',') });
    expect([taken.body.code, taken.body.transaction_id]).toEqual(['domain_not_available', ids[1]]);
    expect(await one.funds()).toBe('45.00 held 0.00');
  });

  test('an order that ran without a bill cannot be cancelled, and leads to its operation', async () => {
    const one = await buyer();
    const made = ok(await one.order('ran-free.com', 'only_add')).body;
    const id = { transaction_id: made.transaction_id as string };
    const ran = ok(await one.do('execute', { ...id, cancel_invoice: 'true' })).body;
    expect([ran.status, ran.operation_id]).toEqual(['cancelled', expect.stringMatching(/^op_/)]);
    expect((await one.bill(made.transaction_id)).operation_id).toBe(ran.operation_id);
    const cancelled = await one.do('cancel', id);
    expect([cancelled.status, cancelled.body.message]).toEqual([409, expect.stringContaining('has run')]);
  });

  test('a payment that is repeated tells how its bill stands now', async () => {
    const one = await buyer();
    const made = ok(await one.order('repeated.com', 'only_add')).body;
    const key = { 'Idempotency-Key': 'pays-repeated' };
    const form = { transaction_id: made.transaction_id, subtract_balance: 'false' };
    expect(ok(await one.do('pay', form, key)).body.status).toBe('completed');
    ok(await t.call('DELETE', '/v1/domains/repeated.com'));
    const again = ok(await one.do('pay', form, key));
    const json = { transaction_id: [made.transaction_id], subtract_balance: false };
    const path = `/v1/customers/${one.id}/transactions/pay`;
    expect(ok(await t.call('POST', path, { json, headers: key })).body.transaction_id).toBe(made.transaction_id);
    expect([again.body.status, again.headers.get('idempotency-replayed')]).toEqual(['refunded', 'true']);
    expect(await one.funds()).toBe('15.00 held 0.00');
  });

  test('payments of one customer at once do not run into each other in the database', async () => {
    const deadlocks = async () => {
      // What a session counted is told when it is idle for a second.
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      const counted = sql`select deadlocks::integer as seen from pg_stat_database where datname = current_database()`;
      return (await t.house.db.as(everyTenant).one<{ seen: number }>(counted)).seen;
    };
    const before = await deadlocks();
    const one = await buyer(child);
    const ids: string[] = [];
    for (let place = 0; place < 16; place += 1)
      ids.push(ok(await one.order(`at-once-${place}.com`, 'only_add')).body.transaction_id);
    const pay = (transaction_id: string) => one.do('pay', { transaction_id, subtract_balance: 'false' });
    const said = await Promise.all(ids.map(pay));
    expect(said.map(({ status }) => status)).toEqual(ids.map(() => 200));
    expect((await deadlocks()) - before).toBe(0);
    expect(await one.funds()).toBe('0.00 held 0.00');
  });

  test('fifty retries at once are all answered with the one order', async () => {
    const one = await buyer(t.demo, '30');
    const made = ok(await one.order('retried.com', 'only_add')).body;
    const calls = Array.from({ length: 50 }, () => one.do('retry', { transaction_id: made.transaction_id }));
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(await one.funds()).toBe('15.00 held 0.00');
  });

  test('a name that has another customer by now; another currency; a dry run of what waits', async () => {
    const [one, next] = [await buyer(t.demo, '50'), await buyer()];
    ok(await one.order('moves-on.com', 'no_invoice'));
    const form = { years: '1', current_date: (await one.detail('moves-on.com')).body.end_date };
    const renew = { form: { ...form, invoice_option: 'only_add' } };
    const waiting = ok(await t.call('POST', '/v1/domains/moves-on.com/renew', renew)).body;
    await moveTo('moves-on.com', one, next);
    const late = await one.do('pay_add_only', { transaction_id: waiting.transaction_id });
    expect([late.status, late.body.message]).toEqual([409, expect.stringContaining('another customer now')]);
    ok(await one.do('cancel', { transaction_id: waiting.transaction_id }));
    const euro = await one.do('fund', { amount: '5', description: 'x', currency: 'EUR' });
    expect([euro.status, euro.body.errors[0].field]).toEqual([400, 'currency']);
    ok(await one.do('fund', { amount: '5', description: 'x', currency: 'usd' }));
    expect(await one.funds()).toBe('55.00 held 0.00');
    const dry = ok(await one.order('only-asked.com', 'only_add', { dry_run: '1' })).body;
    expect(dry.what_happens).toContain('Nothing is held now');
    const kept = ok(await one.order('kept-then-gone.com', 'keep_invoice')).body;
    ok(await t.call('DELETE', '/v1/domains/kept-then-gone.com'));
    expect(await one.bill(kept.transaction_id)).toMatchObject({ status: 'cancelled', amount: 15 });
  });
});
