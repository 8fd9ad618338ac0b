import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestService } from '../../../../../test/support/service.ts';
import { OrderShop, ok, transferCode, unknownHosts } from './shop.ts';

let shop: OrderShop;
let t: TestService;
let child: string;

beforeAll(async () => {
  shop = await OrderShop.open();
  ({ t, child } = shop);
  await shop.elsewhere('comes-billed.com');
});
afterAll(() => shop.close());

describe('orders that run immediately', () => {
  test('registers at once with keep_invoice and leaves an open bill, which is paid later from the balance', async () => {
    const one = await shop.buyer();
    const before = await shop.revenue('1000');
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
    expect((await shop.revenue('1000')) - before).toBe(15_00n);
    const again = await one.do('pay', pay);
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);
    expect(again.body.message).toContain('is already paid');
  });

  test("debits the customer's balance with pay_invoice and charges the reseller its own price", async () => {
    const one = await shop.buyer(t.demo, '40');
    const before = await shop.spendable();
    const dry = ok(await one.order('paid.com', 'pay_invoice', { dry_run: '1' })).body;
    expect(dry.customer_price).toEqual({ amount: '15.00', currency: 'USD' });
    const made = ok(await one.order('paid.com', 'PayInvoice')).body;
    expect(await one.bill(made.transaction_id)).toMatchObject({ status: 'completed', amount: 15, balance: 25 });
    expect(await one.funds()).toBe('25.00 held 0.00');
    expect(Number(before) - Number(await shop.spendable())).toBeCloseTo(Number(dry.total.amount), 2);
  });

  test('are refused without a customer price, with where to set it, except with no_invoice', async () => {
    const one = await shop.buyer(child, '40');
    for (const option of ['keep_invoice', 'pay_invoice', 'only_add']) {
      const called = await one.order('no-price.net', option);
      expect([called.status, called.body.code], called.text).toEqual([400, 'price_not_set']);
      expect(called.body.message).toContain('customer price list');
    }
    ok(await one.order('no-price.net', 'no_invoice'));
    expect(await one.funds()).toBe('40.00 held 0.00');
  });

  test('are refused with the field for a missing or unknown invoice_option', async () => {
    const one = await shop.buyer();
    const form = { domain_name: 'x.com', customer_id: one.id };
    const missing = await t.call('POST', '/v1/domains', { form });
    expect(missing.status).toBe(400);
    expect(missing.body.errors.map((each: { field: string }) => each.field)).toContain('invoice_option');
    expect((await one.order('x.com', 'later')).body.errors[0].field).toBe('invoice_option');
    ok(await one.order('plain-privacy.com', 'no_invoice'));
    ok(await t.call('POST', '/v1/domains/plain-privacy.com/privacy_protection/buy', { form: {} }));
    expect((await t.call('GET', `/v1/customers/${one.id}/transactions`)).body).toEqual([]);
  });

  test('create an open or a paid bill for renewal, privacy, restore and transfer', async () => {
    const one = await shop.buyer(t.demo, '200');
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
    // After the cancellation the money is on the balance again.
    ok(await t.call('POST', '/v1/domains/comes-billed.com/transfer/cancel', { form: {} }));
    await expect.poll(async () => (await one.bill(moved.body.transaction_id)).status).toBe('cancelled');
    expect(await one.funds()).toBe('149.00 held 0.00');
  });

  test("refund to the customer's balance, or reduce the open bill, within a grace period", async () => {
    const one = await shop.buyer(t.demo, '15');
    const paid = ok(await one.order('regret-paid.com', 'pay_invoice')).body;
    const kept = ok(await one.order('regret-kept.com', 'keep_invoice')).body;
    for (const name of ['regret-paid.com', 'regret-kept.com']) ok(await t.call('DELETE', `/v1/domains/${name}`));
    expect(await one.bill(paid.transaction_id)).toMatchObject({ status: 'refunded' });
    expect(await one.bill(kept.transaction_id)).toMatchObject({ status: 'cancelled' });
    expect(await one.funds()).toBe('15.00 held 0.00');
    const late = await one.do('pay', { transaction_id: kept.transaction_id, subtract_balance: 'false' });
    expect([late.status, late.body.message]).toEqual([409, expect.stringContaining('is cancelled')]);
  });

  test('return the payment to the balance, and cancel an open bill, when the registry refuses', async () => {
    const one = await shop.buyer(t.demo, '15');
    const before = [await shop.spendable(), await shop.held()];
    for (const option of ['pay_invoice', 'keep_invoice']) {
      const called = await one.order(`refused-${option.split('_')[0]}.com`, option, unknownHosts);
      expect([called.status, called.body.operation_id !== undefined], called.text).toEqual([400, true]);
    }
    const bills = (
      await t.call('GET', `/v1/customers/${one.id}/transactions`, { query: { transaction_type: 'domain' } })
    ).body;
    expect(bills.map((each: { status: string }) => each.status)).toEqual(['cancelled', 'cancelled']);
    expect(await one.funds()).toBe('15.00 held 0.00');
    expect([await shop.spendable(), await shop.held()]).toEqual(before);
  });
});

describe('concurrent and repeated calls', () => {
  test('have one effect for fifty concurrent calls of execute, pay and cancel', async () => {
    const one = await shop.buyer(t.demo, '100');
    const before = Number(await shop.spendable());
    const made = ok(await one.order('fifty.com', 'only_add')).body;
    const calls = Array.from({ length: 50 }, (_, place) => {
      const id = { transaction_id: made.transaction_id as string };
      if (place % 3 === 0) return one.do('execute', { ...id, cancel_invoice: 'true' });
      if (place % 3 === 1) return one.do('pay', { ...id, subtract_balance: 'true' });
      return one.do('cancel', id);
    });
    const answers = await Promise.all(calls);
    const { status } = await one.bill(made.transaction_id);
    const state = (await one.detail(made.domain_id)).body.order_status as string;
    const spent = before - Number(await shop.spendable());
    const balance = await one.funds();
    const purchases = await t.ctx.db.as(allTenants).many(sql`
      select id from ledger_transaction where domain_id = ${made.domain_id} and customer_id is null`);
    const isPaid = status === 'completed';
    const isLive = state === 'Live';
    expect([state, status]).toEqual(isLive ? ['Live', isPaid ? 'completed' : 'cancelled'] : ['Cancelled', 'cancelled']);
    expect([purchases.length, spent > 0, balance]).toEqual([
      isLive ? 1 : 0,
      isLive,
      isPaid ? '85.00 held 0.00' : '100.00 held 0.00',
    ]);
    expect(answers.filter((each) => each.status >= 500).map((each) => each.text)).toEqual([]);
    const effects = answers.filter((each, place) => each.status === 200 && place % 3 !== 2);
    expect(effects).toHaveLength(isLive ? 1 : 0);
  });

  test('pay and record once for one Idempotency-Key', async () => {
    const one = await shop.buyer(t.demo, '100');
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

  test('return the present state of the bill for a repeated payment', async () => {
    const one = await shop.buyer();
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

  test('cause no database conflicts for concurrent payments of one customer', async () => {
    const deadlocks = async () => {
      // A session reports its counters after one idle second.
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      const counted = sql`select deadlocks::integer as seen from pg_stat_database where datname = current_database()`;
      return (await t.ctx.db.as(allTenants).one<{ seen: number }>(counted)).seen;
    };
    const before = await deadlocks();
    const one = await shop.buyer(child);
    const ids: string[] = [];
    for (let place = 0; place < 16; place += 1)
      ids.push(ok(await one.order(`at-once-${place}.com`, 'only_add')).body.transaction_id);
    const pay = (transaction_id: string) => one.do('pay', { transaction_id, subtract_balance: 'false' });
    const answers = await Promise.all(ids.map(pay));
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200));
    expect((await deadlocks()) - before).toBe(0);
    expect(await one.funds()).toBe('0.00 held 0.00');
  });

  test('return the same order for fifty concurrent retries', async () => {
    const one = await shop.buyer(t.demo, '30');
    const made = ok(await one.order('retried.com', 'only_add')).body;
    const calls = Array.from({ length: 50 }, () => one.do('retry', { transaction_id: made.transaction_id }));
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(await one.funds()).toBe('15.00 held 0.00');
  });
});
