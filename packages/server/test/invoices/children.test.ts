import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openAlarms } from '../../src/core/alarms/alarm.ts';
import { closeMonths } from '../../src/core/invoices/children.ts';
import { reconcile } from '../../src/core/reconciliation/reconcile.ts';
import { BillingShop, ok, type ShopCustomer } from './shop.ts';

let t: TestService;
let shop: BillingShop;
let one: ShopCustomer;

beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  shop = await BillingShop.open(t);
  one = await shop.customer();
});
afterAll(async () => {
  await expectReconciled(t);
  await t.stop();
});

const day = () => t.ctx.clock.now().toISOString().slice(0, 10);
const month = () => `${day().slice(0, 7)}-01`;
/** To the hours of the second day of the next month. */
function nextMonth(): void {
  const now = t.ctx.clock.now();
  const then = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 2, 12);
  t.moveClock(`+${Math.ceil((then - now.getTime()) / 1_000)}s`);
}
const sent = async () => ok(await t.call('GET', '/v1/invoices', { query: { reseller_id: shop.id } })).body;
const received = () => shop.ok('GET', '/v1/invoices', { query: { received: 'true' } });
const settings = async (json: object) => ok(await t.call('PUT', '/v1/invoices/settings', { json })).body;
const taxes = async (rates: object[]) => ok(await t.call('PUT', '/v1/invoices/taxes', { json: { rates } }));
const minor = ({ amount }: { amount: string }) => Math.round(Number(amount) * 100);

test('creates no invoice for a sub-reseller if its parent has not enabled them', async () => {
  await one.order('before-that.com', 'no_invoice');
  nextMonth();
  await closeMonths(t.ctx);
  expect([await sent(), await received()]).toEqual([[], []]);
});

test('refuses contradicting filters', async () => {
  for (const [query, field] of [
    [{ customer_id: '2001', reseller_id: shop.id }, 'reseller_id'],
    [{ received: 'true', customer_id: '2001' }, 'customer_id'],
    [{ received: 'true', reseller_id: shop.id }, 'reseller_id'],
  ] as const) {
    const { status, body } = await t.call('GET', '/v1/invoices', { query });
    expect([status, body.errors[0].field]).toEqual([400, field]);
  }
});

test('creates one invoice for a past month, with its charges less refunds', async () => {
  expect((await settings({ child_invoices: 'monthly' })).child_invoices).toBe('monthly');
  await taxes([{ name: 'VAT', rate: '10', valid_from: '2000-01-01' }]);
  const [from, period] = [day(), month()];
  for (const name of ['charged-1.com', 'charged-2.com', 'given-back.com']) await one.order(name, 'no_invoice');
  await shop.ok('DELETE', '/v1/domains/given-back.com');
  await closeMonths(t.ctx);
  expect(await sent()).toEqual([]);
  nextMonth();
  await Promise.all([closeMonths(t.ctx), closeMonths(t.ctx)]);
  const [invoice, ...more] = await sent();
  expect(more).toEqual([]);
  expect(await received()).toEqual([invoice]);
  expect(invoice).toMatchObject({ kind: 'invoice', state: 'paid', reseller_id: shop.id, customer_id: null, period });
  expect(invoice.lines.map((line: { domain_name: string }) => line.domain_name)).toEqual([
    'charged-1.com',
    'charged-2.com',
  ]);
  expect(invoice).toMatchObject({
    taxes: [{ name: 'VAT', rate: '10' }],
    paid: invoice.total,
    due_on: invoice.issued_on,
  });
  expect(minor(invoice.net) + minor(invoice.tax)).toBe(minor(invoice.total));
  // The statement of the month says the same.
  const query = { from, to: new Date(Date.parse(month()) - 86_400_000).toISOString().slice(0, 10) };
  const { lines } = await shop.ok('GET', '/v1/account/statement', { query });
  const moved = lines.filter((line: { transaction_type: string }) => line.transaction_type === 'domain');
  expect(-moved.reduce((sum: number, line: { amount: { amount: string } }) => sum + minor(line.amount), 0)).toBe(
    minor(invoice.total),
  );
  const Authorization = `Basic ${Buffer.from(t.demo).toString('base64')}`;
  const read = async (end: string, Accept: string) => {
    const url = `${t.url}/v1/invoices/${invoice.invoice_id}${end}`;
    const answer = await fetch(url, { headers: { Authorization, Accept } });
    return [answer.status, answer.headers.get('content-type'), (await answer.text()).slice(0, 5)];
  };
  const pdf = [200, 'application/pdf', '%PDF-'];
  expect([await read('.pdf', '*/*'), await read('', 'application/pdf')]).toEqual([pdf, pdf]);
  expect((await read('', 'application/pdf, */*;q=0.5'))[1]).toContain('application/json');
});

test('credits a later refund by a credit note in the number series of the parent', async () => {
  const [before] = await sent();
  // Bought on the last day, refunded in the next month.
  nextMonth();
  const now = t.ctx.clock.now();
  const last = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0, 22);
  t.moveClock(`+${Math.ceil((last - now.getTime()) / 1_000)}s`);
  const { transaction_id } = await one.order('goes-back.com', 'keep_invoice');
  await one.order('stays.com', 'no_invoice');
  nextMonth();
  await closeMonths(t.ctx);
  const [invoice] = await sent();
  expect([invoice.invoice_id === before.invoice_id, invoice.lines.length]).toEqual([false, 2]);
  await shop.ok('DELETE', '/v1/domains/goes-back.com');
  await shop.documents();
  const [note, standing] = await sent();
  const line = invoice.lines.find((each: { domain_name: string }) => each.domain_name === 'goes-back.com');
  expect(note).toMatchObject({
    kind: 'credit_note',
    corrects_id: invoice.invoice_id,
    total: line.total,
    tax: line.tax,
    lines: [line],
  });
  expect(standing).toMatchObject({ invoice_id: invoice.invoice_id, credited: line.total, state: 'paid' });
  expect((await one.documents()).map(({ kind }: { kind: string }) => kind)).toEqual(['invoice', 'credit_note']);
  expect((await shop.call('GET', `/v1/customers/${one.id}/transactions/${transaction_id}`)).body.status).toBe(
    'cancelled',
  );
  const numbers = await t.ctx.db
    .as(allTenants)
    .many<{ place: string }>(
      sql`select place from invoice where reseller_id = 1000 and kind = 'invoice' and number is not null order by place`,
    );
  expect(numbers.map(({ place }) => Number(place))).toEqual([1, 2]);
});

test('creates no invoice while the rate of a day is missing, and raises an alarm with the reason', async () => {
  await taxes([{ name: 'VAT', rate: '10', valid_from: '2000-01-01', valid_until: '2001-01-01' }]);
  await one.order('no-rate.com', 'no_invoice');
  const before = (await sent()).length;
  nextMonth();
  await closeMonths(t.ctx);
  expect((await sent()).length).toBe(before);
  const alarms = async () => (await openAlarms(t.ctx)).filter(({ key }) => key === 'invoices:children:1000');
  expect((await alarms())[0]?.sentence).toContain('has no rate');
  await taxes([{ name: 'VAT', rate: '0', note: 'Export', valid_from: '2000-01-01' }]);
  await closeMonths(t.ctx);
  expect([(await sent()).length, await alarms()]).toEqual([before + 1, []]);
  expect((await settings({ child_invoices: 'none' })).child_invoices).toBe('none');
});

test('issues a month that ended under monthly although it is switched off since, and no later month', async () => {
  await settings({ child_invoices: 'monthly' });
  await taxes([{ country_code: 'JP', name: 'VAT', rate: '10', valid_from: '2000-01-01' }]);
  const [owed, before] = [month(), (await sent()).length];
  await one.order('waits-for-rate.com', 'no_invoice');
  nextMonth();
  const found = async () => (await reconcile(t.ctx, ['invoices'])).differences.map(({ rule }) => rule);
  expect(await found()).toEqual(['charge_without_invoice']);
  await closeMonths(t.ctx);
  const alarm = async () => (await openAlarms(t.ctx)).find(({ key }) => key === 'invoices:children:1000')?.sentence;
  expect(await alarm()).toMatch(
    new RegExp(
      `reseller 1000 .* its tax table has no rate for a private buyer in [A-Z]{2} on [-0-9]+ \\(${shop.id}\\)\\.`,
    ),
  );
  // The alarm gives the reason why it is missing.
  expect(await found()).toEqual([]);

  await settings({ child_invoices: 'none' });
  await one.order('while-off.com', 'no_invoice');
  nextMonth();
  await closeMonths(t.ctx);
  expect([(await sent()).length, typeof (await alarm())]).toEqual([before, 'string']);
  expect((await settings({ child_invoices: 'monthly' })).child_invoices).toBe('monthly');
  await settings({ child_invoices: 'none' });
  await settings({ child_invoices: 'monthly' });
  await one.order('on-again.com', 'no_invoice');
  await taxes([{ name: 'VAT', rate: '10', valid_from: '2000-01-01' }]);
  await Promise.all([closeMonths(t.ctx), closeMonths(t.ctx)]);
  const [late] = await sent();
  expect([(await sent()).length, late.period, late.lines.length]).toEqual([before + 1, owed, 1]);
  expect([await alarm(), await found()]).toEqual([undefined, []]);

  nextMonth();
  // Switched off before the closing time: the month has ended, and its invoices are still issued.
  await settings({ child_invoices: 'none' });
  await closeMonths(t.ctx);
  const [last] = await sent();
  expect(last.lines.map((line: { domain_name: string }) => line.domain_name)).toEqual(['on-again.com']);
  expect((await sent()).length).toBe(before + 2);
  await expectReconciled(t);
});

test('credits an invoice to a sub-reseller in part, reissues it, and credits the rest', async () => {
  await settings({ child_invoices: 'monthly' });
  await taxes([
    { buyer: 'business', name: 'VAT', rate: '0', note: 'Reverse charge', valid_from: '2000-01-01' },
    { buyer: 'private', name: 'VAT', rate: '10', valid_from: '2000-01-01' },
  ]);
  const now = t.ctx.clock.now();
  const last = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0, 22);
  t.moveClock(`+${Math.ceil((last - now.getTime()) / 1_000)}s`);
  for (const name of ['correct-1.com', 'correct-2.com', 'correct-3.com']) await one.order(name, 'no_invoice');
  nextMonth();
  await closeMonths(t.ctx);
  const [invoice] = await sent();
  const [id, price] = [invoice.invoice_id, minor(invoice.lines[0].total)];
  expect(minor(invoice.total)).toBe(3 * price);
  const credit = (json: object, as = t.demo, of = id) => t.call('POST', `/v1/invoices/${of}/credit_note`, { json, as });
  const balance = async () => minor((await shop.ok('GET', '/v1/account/funds')).balance);
  const before = await balance();
  const text = (amount: number) => (amount / 100).toFixed(2);
  const refused = async (json: object, of = id) => {
    const { status, body } = await credit({ reason: 'wrong', ...json }, t.demo, of);
    return [status, body.errors?.[0].field];
  };
  for (const amount of ['0', '-1', '1.005', 'ten', text(3 * price + 1)])
    expect(await refused({ amount }), amount).toEqual([400, 'amount']);
  expect(await refused({ amount: '1.00', reissue: true })).toEqual([400, 'amount']);
  expect((await credit({ reason: 'mine' }, shop.as)).status).toBe(404);

  // A line and a half, five at once.
  const half = Math.floor(price / 2);
  const part = ok(await credit({ reason: 'goodwill', amount: text(price + half) })).body;
  expect(part.invoice).toBe(null);
  expect(part.credit_note).toMatchObject({
    kind: 'credit_note',
    corrects_id: id,
    reseller_id: shop.id,
    reason: 'goodwill',
  });
  expect(part.credit_note.lines.map((line: { total: { amount: string } }) => minor(line.total))).toEqual([price, half]);
  const five = await Promise.all(Array.from({ length: 5 }, () => credit({ reason: 'more', amount: '0.01' })));
  expect(five.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(await balance()).toBe(before + price + half + 5);
  const { lines } = await shop.ok('GET', '/v1/account/statement', { query: { from: day(), to: day() } });
  expect(
    lines.find((line: { description: string }) => line.description.includes(part.credit_note.number)),
  ).toMatchObject({
    posting: 'fund',
    amount: part.credit_note.total,
  });

  // The tax id was set a day late.
  await shop.ok('PUT', '/v1/invoices/settings', { json: { tax_id: 'GB123' } });
  const again = ok(await credit({ reason: 'the tax id was missing', reissue: true })).body;
  const left = 2 * price - half - 5;
  expect([minor(again.credit_note.total), minor(again.invoice.total), minor(again.invoice.tax)]).toEqual([
    left,
    left,
    0,
  ]);
  expect(again.invoice).toMatchObject({ state: 'paid', period: invoice.period, buyer: { tax_id: 'GB123' } });
  expect(again.invoice.lines.length).toBe(2);
  expect(await balance()).toBe(before + price + half + 5);
  const old = (await shop.call('GET', `/v1/invoices/${id}`)).body;
  expect([old.state, old.credited]).toEqual(['credited', invoice.total]);
  expect(minor(invoice.tax)).toBe(
    (await received())
      .filter((each: { corrects_id: string }) => each.corrects_id === id)
      .reduce((sum: number, each: { tax: { amount: string } }) => sum + minor(each.tax), 0),
  );
  expect([await refused({}), await refused({ amount: '0' })]).toEqual([
    [409, undefined],
    [400, 'amount'],
  ]);
  await expectReconciled(t);

  // A later refund is credited on its invoice, as far as it is not credited yet.
  await shop.ok('DELETE', '/v1/domains/correct-2.com');
  await shop.documents();
  const [note] = await received();
  expect(note).toMatchObject({ corrects_id: again.invoice.invoice_id, reason: 'the purchase was refunded' });
  expect(minor(note.total)).toBe(price - half - 5);
  const rest = ok(await credit({ reason: 'all of it' }, t.demo, again.invoice.invoice_id)).body.credit_note;
  expect(minor(rest.total)).toBe(price);
  expect((await received()).slice(0, 2)).toEqual([rest, { ...note }]);
  expect(await balance(), 'what was credited is not refunded again').toBe(before + 3 * price);
  await settings({ child_invoices: 'none' });
});

test('refunds a charge once when a credit note and a delete both apply to it, in any order', async () => {
  await settings({ child_invoices: 'monthly' });
  await taxes([{ name: 'VAT', rate: '0', note: 'Export', valid_from: '2000-01-01' }]);
  const now = t.ctx.clock.now();
  const last = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0, 22);
  t.moveClock(`+${Math.ceil((last - now.getTime()) / 1_000)}s`);
  const balance = async () => minor((await shop.ok('GET', '/v1/account/funds')).balance);
  const parent = async () => minor(ok(await t.call('GET', '/v1/account/funds')).body.balance);
  const [before, above] = [await balance(), await parent()];
  const names = ['once-1.com', 'once-2.com', 'once-3.com', 'once-4.com'];
  for (const name of names) await one.order(name, 'no_invoice');
  const paid = before - (await balance());
  const price = paid / names.length;
  nextMonth();
  await closeMonths(t.ctx);
  const [invoice] = await sent();
  const text = (amount: number) => (amount / 100).toFixed(2);
  const credit = (json: object) =>
    t.call('POST', `/v1/invoices/${invoice.invoice_id}/credit_note`, { json: { reason: 'goodwill', ...json } });
  const remove = async (name: string) => {
    const { refunded, refunded_before } = await shop.ok('DELETE', `/v1/domains/${name}`);
    await shop.documents();
    const { events } = await shop.ok('GET', '/v1/events', { query: { type: 'domain.deleted', limit: '1000' } });
    const { payload } = events.find((each: { payload: { domain_name: string } }) => each.payload.domain_name === name);
    expect(refunded, 'the answer says what the event says').toEqual(payload.refunded);
    const amounts = (lines?: { amount: string }[]) => lines?.map(({ amount }) => amount);
    return [amounts(refunded), amounts(refunded_before)];
  };

  // The first line in full and three of the second, then both domains are deleted.
  ok(await credit({ amount: text(price + 3) }));
  expect(await balance()).toBe(before - paid + price + 3);
  expect(await remove('once-1.com'), 'credited in full').toEqual([[], [text(price)]]);
  expect(await balance()).toBe(before - paid + price + 3);
  expect(await remove('once-2.com')).toEqual([[text(price - 3)], [text(3)]]);
  expect(await balance(), 'the remainder').toBe(before - paid + 2 * price);
  await expectReconciled(t);
  // A delete first, then the rest of the invoice at once with another delete.
  expect(await remove('once-3.com')).toEqual([[text(price)], undefined]);
  await Promise.all([credit({}), shop.call('DELETE', '/v1/domains/once-4.com')]);
  await shop.documents();
  expect(await balance()).toBe(before);
  expect((await credit({})).status).toBe(409);
  const [again] = (await sent()).filter((each: { invoice_id: string }) => each.invoice_id === invoice.invoice_id);
  expect(again).toMatchObject({ state: 'credited', credited: invoice.total });
  // What the parent paid was refunded in full.
  expect(await parent()).toBe(above);
  await settings({ child_invoices: 'none' });
  await expectReconciled(t);
});
