import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeReseller } from '../../../../../test/support/resellers.ts';
import type { TestService } from '../../../../../test/support/service.ts';
import { type Buyer, OrderShop, ok } from './shop.ts';

let shop: OrderShop;
let t: TestService;
let child: string;

beforeAll(async () => {
  shop = await OrderShop.open();
  ({ t, child } = shop);
});
afterAll(() => shop.close());

const buyer = (as?: string, paidIn?: string) => shop.buyer(as, paidIn);
const spendable = (as?: string) => shop.spendable(as);
const revenue = (resellerId: string) => shop.revenue(resellerId);

describe('invalid calls of orders', () => {
  test('are refused with the field of invalid ids, amounts and flags', async () => {
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

  test('are refused for an invalid price list with the required form', async () => {
    const price = { tld: 'com', action: 'create', years: 1, currency: 'USD' };
    for (const [prices, field, says] of [
      [[], 'prices', 'at least one price'],
      [[{ ...price, amount: 'much' }], 'prices.0.amount', 'such as 15.00'],
      [[{ ...price, amount: '-1.00' }], 'prices.0.amount', 'such as 15.00'],
    ] as const) {
      const { status, body } = await t.call('PUT', '/v1/account/price_list', { json: { target: 'customer', prices } });
      expect([status, body.errors[0].field, body.errors[0].message]).toEqual([
        400,
        field,
        expect.stringContaining(says),
      ]);
    }
  });

  test("are refused for deposits, notes and other customers' orders", async () => {
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

  test('keeps the order waiting and charges no level when a sub-reseller cannot pay', async () => {
    const poor = await makeReseller(t, child);
    await shop.setPrices(poor);
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
    await shop.fundReseller(poor.split(':')[0]!, child);
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

describe('obstacles of waiting orders', () => {
  const remove = (one: Buyer) => t.call('DELETE', `/v1/customers/${one.id}`, { as: one.as });
  const moveTo = async (name: string, from: Buyer, to: Buyer) => {
    ok(await t.call('DELETE', `/v1/domains/${name}/theft_protection`));
    const form = { existing_customer_id: from.id, new_customer_id: to.id, new_reseller_id: '1000' };
    ok(await t.call('POST', `/v1/domains/${name}/move`, { form: { ...form, default_contacts: 'default' } }));
  };

  test('refuse the deletion of a customer with money or open bills', async () => {
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

  test('show a refund to a deleted customer, which can be paid out', async () => {
    const [one, next] = [await buyer(), await buyer()];
    const made = ok(await one.order('comes-back.com', 'only_add')).body;
    ok(await one.do('pay', { transaction_id: made.transaction_id, subtract_balance: 'false' }));
    await moveTo('comes-back.com', one, next);
    ok(await remove(one));
    ok(await t.call('DELETE', '/v1/domains/comes-back.com'));
    expect(await one.funds()).toBe('15.00 held 0.00');
    expect((await one.bill(made.transaction_id)).status).toBe('refunded');
    const day = t.ctx.clock.now().toISOString().slice(0, 10);
    const query = { from: day, to: day };
    const statement = await t.call('GET', `/v1/customers/${one.id}/statement`, { as: one.as, query });
    expect(ok(statement).body.closing.balance.amount).toBe('15.00');
    ok(await one.do('debit_note', { amount: '15', description: 'paid out' }));
    expect(await one.funds()).toBe('0.00 held 0.00');
    expect((await one.do('fund', { amount: '1', description: 'x' })).status).toBe(404);
  });

  test('refuse two orders for one domain in one call, and name the orders without money', async () => {
    const one = await buyer(t.demo, '40');
    ok(await one.order('twice.com', 'no_invoice'));
    const form = {
      years: '1',
      current_date: (await one.detail('twice.com')).body.end_date,
      invoice_option: 'only_add',
    };
    const waiting = async (path: string) =>
      ok(await t.call('POST', `/v1/domains/twice.com/${path}`, { form })).body.transaction_id as string;
    const renewals = [await waiting('renew'), await waiting('privacy_protection/buy')];
    const both = await one.do('pay', { transaction_id: renewals.join(','), subtract_balance: 'true' });
    expect([both.status, both.body.errors[0].field]).toEqual([400, 'transaction_id']);
    expect(both.body.message).toContain('one after the other');
    ok(await one.do('pay', { transaction_id: renewals[0]!, subtract_balance: 'true' }));
    const renewed = { ...form, current_date: (await one.detail('twice.com')).body.end_date };
    const stale = ok(await t.call('POST', '/v1/domains/twice.com/renew', { form: renewed })).body.transaction_id;
    await shop.renewAutomatically('twice.com');
    const late = await one.do('pay', { transaction_id: stale, subtract_balance: 'true' });
    expect([late.body.code, late.body.message]).toEqual([
      'already_renewed',
      expect.stringContaining('place a new order'),
    ]);
    expect(late.text).not.toContain('send current_date');
    const ids: string[] = [];
    for (const name of ['lack-1.com', 'lack-2.com', 'lack-3.com'])
      ids.push(ok(await one.order(name, 'only_add')).body.transaction_id);
    const poor = await one.do('pay_add_only', { transaction_id: ids.join(',') });
    expect([poor.status, poor.body.missing.amount]).toEqual([402, '21.00']);
    ok(await (await buyer(child)).order('lack-2.com', 'no_invoice'));
    await one.fund('21');
    const refused = await one.do('pay_add_only', { transaction_id: ids.join(',') });
    expect([refused.body.code, refused.body.transaction_id]).toEqual(['domain_not_available', ids[1]]);
    expect(await one.funds()).toBe('45.00 held 0.00');
  });

  test('refuse to cancel an order that ran without a bill, and name its operation', async () => {
    const one = await buyer();
    const made = ok(await one.order('ran-free.com', 'only_add')).body;
    const id = { transaction_id: made.transaction_id as string };
    const ran = ok(await one.do('execute', { ...id, cancel_invoice: 'true' })).body;
    expect([ran.status, ran.operation_id]).toEqual(['cancelled', expect.stringMatching(/^op_/)]);
    expect((await one.bill(made.transaction_id)).operation_id).toBe(ran.operation_id);
    const cancelled = await one.do('cancel', id);
    expect([cancelled.status, cancelled.body.message]).toEqual([409, expect.stringContaining('was executed')]);
  });

  test('refuse an order after the domain or currency changed, and report it in a dry run', async () => {
    const [one, next] = [await buyer(t.demo, '50'), await buyer()];
    ok(await one.order('moves-on.com', 'no_invoice'));
    const form = { years: '1', current_date: (await one.detail('moves-on.com')).body.end_date };
    const renew = { form: { ...form, invoice_option: 'only_add' } };
    const waiting = ok(await t.call('POST', '/v1/domains/moves-on.com/renew', renew)).body;
    await moveTo('moves-on.com', one, next);
    const late = await one.do('pay_add_only', { transaction_id: waiting.transaction_id });
    expect([late.status, late.body.message]).toEqual([409, expect.stringContaining('now belongs to another customer')]);
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
