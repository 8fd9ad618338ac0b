import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Called, TestService } from '../../../../../test/support/service.ts';
import { expireOrders } from '../../../src/core/domains/orders/cancel.ts';
import { OrderShop, ok, transferCode, unknownHosts } from './shop.ts';

let shop: OrderShop;
let t: TestService;
let child: string;

beforeAll(async () => {
  shop = await OrderShop.open();
  ({ t, child } = shop);
  for (const name of ['comes-later.com', 'twin-transfer.com', 'race-transfer.com']) await shop.elsewhere(name);
});
afterAll(() => shop.close());

describe('orders that wait for payment', () => {
  test('hold no money and no domain with only_add, and run when they are paid', async () => {
    const one = await shop.buyer();
    const before = [await shop.spendable(), await shop.held()];
    const made = ok(await one.order('waits.com', 'only_add')).body;
    expect(made).toMatchObject({
      status: 'Unpaid',
      operation_id: null,
      domain_name: 'waits.com',
      customer_price: { amount: '15.00', currency: 'USD' },
      order_id: made.domain_id,
    });
    expect([await shop.spendable(), await shop.held()]).toEqual(before);
    expect(await one.bill(made.transaction_id)).toMatchObject({ status: 'unpaid', amount: 15, operation_id: null });
    expect((await one.detail(made.domain_id)).body).toMatchObject({ order_status: 'Unpaid', status: 'unpaid' });
    const listed = ok(await t.call('GET', '/v1/domains', { query: { status: 'Unpaid', customer_id: one.id } })).body;
    expect(listed.map((each: { domain_name: string }) => each.domain_name)).toEqual(['waits.com']);
    const free = ok(await t.call('GET', '/v1/domains/availability', { query: { domain: 'waits.com' } })).body;
    expect(free[0]['waits.com'].status).toBe('available');
    const changed = await t.call('PUT', '/v1/domains/waits.com/ns', { form: { ns: 'ns1.x.example,ns2.x.example' } });
    expect([changed.status, changed.body.message]).toEqual([409, expect.stringContaining('waiting for payment')]);
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

  test('wait with pay_invoice when the balance is too low, and are paid by retry', async () => {
    const one = await shop.buyer(t.demo, '10');
    const made = ok(await one.order('short.com', 'pay_invoice')).body;
    expect(made.status).toBe('Unpaid');
    expect((await one.do('retry', { transaction_id: made.transaction_id })).status).toBe(402);
    expect(await one.funds()).toBe('10.00 held 0.00');
    await one.fund('5');
    expect(ok(await one.do('retry', { transaction_id: made.transaction_id })).body.status).toBe('completed');
    expect(ok(await one.do('retry', { transaction_id: made.transaction_id })).body.status).toBe('completed');
    expect(await one.funds()).toBe('0.00 held 0.00');
  });

  test('record money received elsewhere as a deposit when paid without subtract_balance', async () => {
    const one = await shop.buyer();
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

  test('run unpaid with execute, which leaves the bill open or cancels it', async () => {
    const one = await shop.buyer();
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
    expect([again.status, again.body.message]).toEqual([409, expect.stringContaining('was executed')]);
    const only = await one.do('pay_add_only', { transaction_id: open.transaction_id });
    expect([only.status, only.body.message]).toEqual([409, expect.stringContaining('Pay it as an open bill')]);
    const cancelled = await one.do('cancel', { transaction_id: open.transaction_id });
    expect([cancelled.status, cancelled.body.message]).toEqual([
      409,
      expect.stringContaining('no longer be cancelled'),
    ]);
    ok(await one.do('pay', { transaction_id: open.transaction_id, subtract_balance: 'false' }));
    // Bought, with a cancelled bill: neither state is "cancelled".
    for (const verb of ['pay', 'execute', 'pay_add_only', 'cancel']) {
      const flags = { pay: { subtract_balance: 'false' }, execute: { cancel_invoice: 'false' } }[verb];
      const { status, body } = await one.do(verb, { transaction_id: forgiven.transaction_id, ...flags });
      expect([status, body.message], verb).toEqual([
        409,
        expect.stringContaining('was executed and its bill is cancelled'),
      ]);
    }
  });

  test('end once with cancel, leave a tombstone, and refuse a later payment', async () => {
    const one = await shop.buyer(t.demo, '50');
    const made = ok(await one.order('given-up.com', 'only_add')).body;
    for (let time = 0; time < 2; time += 1)
      expect(ok(await one.do('cancel', { transaction_id: made.transaction_id })).body.status).toBe('cancelled');
    expect((await one.detail(made.domain_id)).body.order_status).toBe('Cancelled');
    for (const verb of ['pay_add_only', 'retry'])
      expect((await one.do(verb, { transaction_id: made.transaction_id })).status).toBe(409);
    expect(await one.funds()).toBe('50.00 held 0.00');
  });

  test('run as a list in one transaction', async () => {
    const one = await shop.buyer(t.demo, '40');
    const names = ['many-1.com', 'many-2.com', 'many-3.com'];
    const ids: string[] = [];
    for (const name of names) ids.push(ok(await one.order(name, 'only_add')).body.transaction_id);
    const short = await one.do('pay_add_only', { transaction_id: ids.join(',') });
    expect([short.status, await one.funds()]).toEqual([402, '40.00 held 0.00']);
    for (const name of names) expect((await one.detail(name)).body.order_status).toBe('Unpaid');
    const paid = ok(await one.do('pay_add_only', { transaction_id: ids.slice(0, 2).join(',') })).body;
    expect(paid.map((each: { status: string }) => each.status)).toEqual(['completed', 'completed']);
    const unknown = await one.do('execute', { transaction_id: `${ids[2]},999999`, cancel_invoice: 'false' });
    expect([unknown.status, unknown.body.errors[0].field]).toEqual([400, 'transaction_id']);
    expect((await one.detail('many-3.com')).body.order_status).toBe('Unpaid');
    expect(await one.funds()).toBe('10.00 held 0.00');
  });

  test('report a domain that was taken meanwhile, and charge nothing', async () => {
    const [first, second] = [await shop.buyer(t.demo, '15'), await shop.buyer(child, '15')];
    const waiting = ok(await first.order('wanted.com', 'only_add')).body;
    const twin = ok(await second.order('wanted.com', 'only_add')).body;
    ok(await second.do('pay_add_only', { transaction_id: twin.transaction_id }));
    const late = await first.do('pay_add_only', { transaction_id: waiting.transaction_id });
    expect([late.status, late.body.code]).toEqual([400, 'domain_not_available']);
    expect([await first.funds(), await second.funds()]).toEqual(['15.00 held 0.00', '0.00 held 0.00']);
    expect((await first.bill(waiting.transaction_id)).status).toBe('unpaid');
    // A refusal by the registry: paid, placed, and returned to the balance.
    const refused = ok(await first.order('refused-late.com', 'only_add', unknownHosts)).body;
    const refusedPayment = await first.do('pay_add_only', { transaction_id: refused.transaction_id });
    expect(refusedPayment.status, refusedPayment.text).toBe(400);
    expect(await first.funds()).toBe('15.00 held 0.00');
    expect((await first.bill(refused.transaction_id)).status).toBe('cancelled');
  });

  test('are priced again under their price guard, while the bill keeps the amount shown to the customer', async () => {
    const one = await shop.buyer(t.demo, '100');
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

  test('keep the current date of a waiting renewal, which prevents a second renewal', async () => {
    const one = await shop.buyer(t.demo, '60');
    ok(await one.order('renewed-later.com', 'no_invoice'));
    const end = (await one.detail('renewed-later.com')).body.end_date;
    const renew = (invoice_option: string, current_date: string) =>
      t.call('POST', '/v1/domains/renewed-later.com/renew', { form: { years: '1', current_date, invoice_option } });
    const first = ok(await renew('only_add', end)).body;
    // An automatic renewal does not depend on the customer's payment.
    await shop.renewAutomatically('renewed-later.com');
    const twice = await one.do('pay_add_only', { transaction_id: first.transaction_id });
    expect(twice.body.code, twice.text).toBe('already_renewed');
    expect(await one.funds()).toBe('60.00 held 0.00');
    // An order that can never run blocks nothing.
    const later = ok(await renew('only_add', (await one.detail('renewed-later.com')).body.end_date)).body;
    expect(later.transaction_id).not.toBe(first.transaction_id);
    for (const { transaction_id } of [first, later]) ok(await one.do('cancel', { transaction_id }));
    expect((await one.detail('renewed-later.com')).body.order_status).toBe('Live');
  });

  test('return the first order for a repeated renewal, privacy or restore order, or conflict', async () => {
    const one = await shop.buyer(t.demo, '500');
    const { domain_id: id } = ok(await one.order('once-only.com', 'no_invoice')).body;
    const form = { years: '1', current_date: (await one.detail(id)).body.end_date, invoice_option: 'only_add' };
    const post = (path: string, more: Record<string, string> = {}, domain = 'once-only.com') =>
      t.call('POST', `/v1/domains/${domain}/${path}`, { form: { ...form, ...more } });
    const renewals = [await post('renew'), await post('renew', { customer_id: one.id }, id)];
    const privacy = [await post('privacy_protection/buy'), await post('privacy_protection/buy', {}, id)];
    t.moveClock('+6d');
    for (const [first, second] of [renewals, privacy]) {
      expect(ok(second!).body.transaction_id).toBe(ok(first!).body.transaction_id);
      expect(second!.body).toEqual(first!.body);
    }
    const transaction_id = renewals[0]!.body.transaction_id as string;
    const others = ['keep_invoice', 'pay_invoice', 'no_invoice'].map((invoice_option) => ({ invoice_option }));
    for (const more of [{ years: '2' }, ...others] as Record<string, string>[]) {
      const refused = await post('renew', more);
      expect([refused.status, refused.body.code, refused.body.transaction_id], refused.text).toEqual([
        409,
        'conflict',
        transaction_id,
      ]);
    }
    expect((await post('privacy_protection/buy', { invoice_option: 'no_invoice' })).body.code).toBe('conflict');
    expect((await t.call('GET', `/v1/customers/${one.id}/transactions`)).body).toHaveLength(3);
    ok(await one.do('execute', { transaction_id, cancel_invoice: 'false' }));
    ok(await t.call('DELETE', '/v1/domains/once-only.com'));
    const restores = [await post('restore'), await post('restore', {}, id)];
    expect(ok(restores[1]!).body.transaction_id).toBe(ok(restores[0]!).body.transaction_id);
    expect((await post('restore', { invoice_option: 'keep_invoice' })).body.code).toBe('conflict');
  });

  test('become one order when two equal ones arrive concurrently', async () => {
    const one = await shop.buyer(t.demo, '60');
    ok(await one.order('one-of-many.com', 'no_invoice'));
    const current_date = (await one.detail('one-of-many.com')).body.end_date;
    const form = { years: '1', current_date, invoice_option: 'only_add' };
    const made = await Promise.all(
      Array.from({ length: 5 }, () => t.call('POST', '/v1/domains/one-of-many.com/renew', { form })),
    );
    expect(new Set(made.map((each) => ok(each).body.transaction_id)).size).toBe(1);
  });

  test('are cancelled when the domain is gone', async () => {
    const one = await shop.buyer(t.demo, '60');
    ok(await one.order('gone-meanwhile.com', 'no_invoice'));
    const current_date = (await one.detail('gone-meanwhile.com')).body.end_date;
    const form = { years: '1', current_date, invoice_option: 'only_add' };
    const made = ok(await t.call('POST', '/v1/domains/gone-meanwhile.com/renew', { form })).body;
    ok(await t.call('DELETE', '/v1/domains/gone-meanwhile.com'));
    await expireOrders(t.ctx);
    expect((await one.bill(made.transaction_id)).status).toBe('cancelled');
    const late = await one.do('pay_add_only', { transaction_id: made.transaction_id });
    expect([late.status, late.body.message]).toEqual([409, expect.stringContaining('its domain no longer exists')]);
    expect(await one.funds()).toBe('60.00 held 0.00');
  });

  test('store the auth code of a transfer encrypted', async () => {
    t.moveClock('+61d');
    const one = await shop.buyer(t.demo, '14');
    const code = transferCode;
    const roles = ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, one.contact]);
    const form = { domain_name: 'comes-later.com', customer_id: one.id, ...Object.fromEntries(roles), auth_code: code };
    const made = ok(
      await t.call('POST', '/v1/domains/transfer', { form: { ...form, invoice_option: 'only_add' } }),
    ).body;
    const row = await t.ctx.db
      .as(allTenants)
      .one<{ row: string }>(
        sql`select w::text as row from waiting_order w where transaction_id = ${made.transaction_id}`,
      );
    expect(row.row).not.toContain(code);
    expect(ok(await one.do('pay_add_only', { transaction_id: made.transaction_id })).body.status).toBe('pending');
    expect((await one.detail('comes-later.com')).body.order_status).toBe('Pending Transfer');
  });

  test('block an equal order that would run immediately, whatever its payment option', async () => {
    const one = await shop.buyer(t.demo, '20');
    const transfer = (name: string, invoice_option: string) =>
      one.order(name, invoice_option, { auth_code: transferCode }, '/transfer');
    const register = (name: string, invoice_option: string) => one.order(name, invoice_option);
    for (const [name, place] of [
      ['twin-register.com', register],
      ['twin-transfer.com', transfer],
    ] as const) {
      const first = ok(await place(name, 'only_add')).body;
      for (const option of ['keep_invoice', 'pay_invoice', 'no_invoice']) {
        const { status, body } = await place(name, option);
        expect([option, status, body.code, body.transaction_id]).toEqual([
          option,
          409,
          'conflict',
          first.transaction_id,
        ]);
        expect(body.message).toBe(
          `Order ${first.transaction_id} for ${name} is already waiting for payment. Pay it, run it without payment, or cancel it first.`,
        );
      }
      expect(await one.funds()).toBe('20.00 held 0.00');
      ok(await one.do('debit_note', { amount: '20', description: 'given back' }));
      expect(ok(await place(name, 'pay_invoice')).body.transaction_id).toBe(first.transaction_id);
      await one.fund('20');
      ok(await one.do('cancel', { transaction_id: first.transaction_id }));
    }
  });

  test('leave one open bill for parallel only_add and keep_invoice orders', async () => {
    const one = await shop.buyer();
    for (const name of ['race-renew.com', 'race-privacy.com']) ok(await one.order(name, 'no_invoice'));
    const current_date = (await one.detail('race-renew.com')).body.end_date as string;
    const buy = (name: string, path: string) => (invoice_option: string) =>
      t.call('POST', `/v1/domains/${name}/${path}`, { form: { years: '1', current_date, invoice_option } });
    const places: [string, (option: string) => Promise<Called>][] = [
      ['race-register.com', (option) => one.order('race-register.com', option)],
      ['race-renew.com', buy('race-renew.com', 'renew')],
      ['race-privacy.com', buy('race-privacy.com', 'privacy_protection/buy')],
      [
        'race-transfer.com',
        (option) => one.order('race-transfer.com', option, { auth_code: transferCode }, '/transfer'),
      ],
    ];
    for (const [name, place] of places) {
      const calls = Array.from({ length: 8 }, (_, n) => place(n % 2 === 0 ? 'keep_invoice' : 'only_add'));
      const answers = await Promise.all(calls);
      expect(answers.filter(({ status }) => status >= 500).map(({ text }) => text)).toEqual([]);
      const made = answers.filter(({ status }) => status < 300).map(({ body }) => body.transaction_id as string);
      expect([name, new Set(made).size], answers.map(({ text }) => text).join('\n')).toEqual([name, 1]);
      const all = (await t.call('GET', `/v1/customers/${one.id}/transactions`)).body as Record<string, unknown>[];
      const open = all.filter((each) => String(each.description).includes(name) && each.status === 'unpaid');
      expect(
        open.map((each) => each.transaction_id),
        name,
      ).toEqual([made[0]]);
    }
  });

  test('expire when not paid in time, and keep deposited money on the balance', async () => {
    const one = await shop.buyer(t.demo, '9');
    const made = ok(await one.order('never-paid.com', 'pay_invoice')).body;
    t.moveClock('+29d');
    await expireOrders(t.ctx);
    expect((await one.bill(made.transaction_id)).status).toBe('unpaid');
    t.moveClock('+2d');
    await expireOrders(t.ctx);
    expect((await one.bill(made.transaction_id)).status).toBe('cancelled');
    expect((await one.detail(made.domain_id)).body.order_status).toBe('Cancelled');
    expect(await one.funds()).toBe('9.00 held 0.00');
    const late = await one.do('retry', { transaction_id: made.transaction_id });
    expect([late.status, late.body.message]).toEqual([
      409,
      `Order ${made.transaction_id} has expired because it was not paid in time. Place a new order.`,
    ]);
    expect(await one.bill(made.transaction_id)).toMatchObject({ status: 'cancelled', cancel_reason: 'unpaid' });
    const { body } = await t.call('GET', '/v1/events', { query: { type: 'order.cancelled', limit: '100' } });
    const events = (body.events ?? body) as { object_id: string; payload: { reason: string } }[];
    expect(events.find((each) => each.object_id === made.transaction_id)?.payload.reason).toBe('unpaid');
  });
});
