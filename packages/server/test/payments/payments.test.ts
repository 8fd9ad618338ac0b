import { systemIds } from '@namehold/base';
import { allTenants, sql } from '@namehold/postgres';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeContact, makeCustomer } from '../../../../test/support/parties.ts';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { countRows } from '../../../../test/support/rows.ts';
import { type Called, startTestService, type TestService } from '../../../../test/support/service.ts';
import { openSession } from '../../../../test/support/users.ts';
import type { Tools } from '../../src/cli/command.ts';
import { paymentCommands } from '../../src/cli/payment-commands.ts';
import { expireOrders } from '../../src/core/domains/orders/cancel.ts';
import { issueDue } from '../../src/core/invoices/issue.ts';
import { groupedReference, isReference, makeReference, referencesIn } from '../../src/core/payments/reference.ts';
import { settlePayments } from '../../src/core/payments/settle.ts';
import type { PaymentProvider } from '../../src/core/ports/payment-provider.ts';
import { sign, testCard } from './test-card.ts';

let t: TestService;
let child: string;
let customer: string;
let contact: string;
const secret = 'a secret of the card provider';

beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  (t.ctx.providers as Map<string, PaymentProvider>).set(testCard.name, testCard);
  child = await makeReseller(t, t.demo);
  customer = await makeCustomer(t);
  contact = await makeContact(t, customer);
  const prices = [{ tld: 'com', action: 'create', years: 1, amount: '15.00', currency: 'USD' }];
  ok(await t.call('PUT', '/v1/account/price_list', { json: { target: 'customer', prices } }));
  for (const as of [t.demo, t.operator])
    ok(await t.call('PUT', '/v1/account/payment_providers/bank_transfer', { as, json: { details: 'Bank 1, 4711' } }));
  for (const as of [t.demo, child])
    ok(
      await t.call('PUT', '/v1/account/payment_providers/test_card', {
        as,
        json: { details: 'cards', secret: as === t.demo ? secret : `${secret}, another` },
      }),
    );
});
afterAll(async () => {
  await expectReconciled(t);
  await t.stop();
});

function ok(called: Called): Called {
  expect(called.status, called.text).toBe(200);
  return called;
}

const expectMoney = async (json: object, as = t.demo) => ok(await t.call('POST', '/v1/payments', { json, as })).body;
const confirm = (id: string, json: object, more: object = {}) =>
  t.call('POST', `/v1/payments/${id}/confirm`, { json, ...more });
const read = async (id: string, as = t.demo) => ok(await t.call('GET', `/v1/payments/${id}`, { as })).body;
const spendable = async (of = customer, as = t.demo) =>
  (await t.call('GET', `/v1/customers/${of}/funds`, { as })).body.balance.amount as string;
const importCsv = async (csv: string, more: object = {}, as = t.demo) =>
  ok(await t.call('POST', '/v1/payments/import', { json: { csv, ...more }, as })).body;
const order = async (name: string, invoice: string) => {
  const roles = ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, contact]);
  const form = { domain_name: name, customer_id: customer, ...Object.fromEntries(roles), invoice_option: invoice };
  return ok(await t.call('POST', '/v1/domains', { form })).body.transaction_id as string;
};
const bill = async (id: string) => (await t.call('GET', `/v1/customers/${customer}/transactions/${id}`)).body;
/** Resets the balance of the customer to zero before each test. */
async function empty(): Promise<void> {
  const left = await spendable();
  if (left !== '0.00')
    ok(
      await t.call('POST', `/v1/customers/${customer}/transactions/debit_note`, {
        form: { amount: left, description: 'x' },
      }),
    );
}

describe('payment reference', () => {
  test('detects every single wrong character and every swap of two characters', () => {
    fc.assert(
      fc.property(fc.nat(15), fc.constantFrom(...'0123456789OIZFR'), (at, other) => {
        const reference = makeReference(systemIds);
        expect(isReference(reference)).toBe(true);
        const slip = reference.slice(0, at) + other + reference.slice(at + 1);
        expect(isReference(slip)).toBe(slip === reference);
        const swap = reference.replace(new RegExp(`^(.{${Math.min(at, 14)}})(.)(.)`), '$1$3$2');
        expect(isReference(swap)).toBe(swap === reference);
      }),
      { seed: 11_649, numRuns: 2_000 },
    );
  });
  test('is found in the free text of payers', () => {
    const reference = makeReference(systemIds);
    for (const text of [
      reference,
      groupedReference(reference),
      `invoice of may ${reference.toLowerCase()}, thank you`,
      `/ROC/${reference}//URI/RF`,
      `${reference.slice(0, 6)}\n${reference.slice(6)}`,
    ])
      expect(referencesIn(text), text).toEqual([reference]);
    expect(referencesIn(`${reference.slice(0, -1)}`)).toEqual([]);
    expect(referencesIn('RF RF18 RF0000000000000000')).toEqual([]);
    expect(referencesIn('x'.repeat(1_000_000))).toEqual([]);
  });
});

describe('manual confirmation', () => {
  test('confirms a deposit once, keeps a partial payment open, and credits a surplus to the balance', async () => {
    await empty();
    const made = await expectMoney({ customer_id: customer, amount: '100.00' });
    expect(made).toMatchObject({
      status: 'open',
      missing: { amount: '100.00' },
      instructions: { details: 'Bank 1, 4711' },
    });
    const part = ok(await confirm(made.payment_id, { amount: '30.00' })).body;
    expect(part).toMatchObject({ status: 'open', received: { amount: '30.00' }, missing: { amount: '70.00' } });
    const rest = ok(await confirm(made.payment_id, { amount: '75.50' })).body;
    expect(rest).toMatchObject({ status: 'paid', surplus: { amount: '5.50' }, missing: { amount: '0.00' } });
    expect(rest.receipts.map(({ fate }: { fate: string }) => fate)).toEqual(['underpaid', 'overpaid']);
    expect(await spendable()).toBe('105.50');
    const again = await confirm(made.payment_id, {});
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);
    expect(await spendable()).toBe('105.50');
  });
  test('counts once when repeated with the same key or entry id, also fifty times concurrently', async () => {
    await empty();
    const one = await expectMoney({ customer_id: customer, amount: '10.00' });
    const headers = { 'Idempotency-Key': 'confirm-once' };
    for (let n = 0; n < 2; n++) expect(ok(await confirm(one.payment_id, {}, { headers })).body.status).toBe('paid');
    const two = await expectMoney({ customer_id: customer, amount: '10.00' });
    const all = await Promise.all(
      Array.from({ length: 50 }, () => confirm(two.payment_id, { amount: '10.00', entry_id: 'B-17' })),
    );
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await read(two.payment_id)).receipts).toHaveLength(1);
    const three = await expectMoney({ customer_id: customer, amount: '10.00' });
    const crowd = await Promise.all(Array.from({ length: 20 }, () => confirm(three.payment_id, {})));
    expect(crowd.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await spendable()).toBe('30.00');
  });
  test('reports money for a cancelled payment as late, and credits the balance', async () => {
    await empty();
    const made = await expectMoney({ customer_id: customer, amount: '10.00' });
    expect(ok(await t.call('POST', `/v1/payments/${made.payment_id}/cancel`)).body.status).toBe('cancelled');
    const { lines } = await importCsv(`amount,reference\n10.00,${made.reference}`);
    expect(lines[0].fate).toBe('late');
    expect(await read(made.payment_id)).toMatchObject({ status: 'cancelled', received: { amount: '10.00' } });
    expect(await spendable()).toBe('10.00');
  });
  test('refuses invalid input and names the field', async () => {
    const unpaid = await order('bad-orders.com', 'only_add');
    for (const [json, field] of [
      [{ amount: '10.00' }, 'customer_id'],
      [{ customer_id: customer, reseller_id: child.split(':')[0], amount: '10.00' }, 'customer_id'],
      [{ customer_id: customer }, 'amount'],
      [{ customer_id: customer, amount: '0' }, 'amount'],
      [{ customer_id: customer, amount: '1.001' }, 'amount'],
      [{ customer_id: customer, amount: '1', transaction_id: [unpaid] }, 'amount'],
      [{ customer_id: customer, transaction_id: ['999999'] }, 'transaction_id'],
      [{ customer_id: '999999', amount: '1' }, 'customer_id'],
      [{ reseller_id: '1', amount: '1' }, 'reseller_id'],
      [{ customer_id: customer, amount: '1', provider: 'nobody' }, 'provider'],
    ] as const) {
      const { status, body } = await t.call('POST', '/v1/payments', { json });
      expect([status, body.errors?.[0].field], JSON.stringify(json)).toEqual([400, field]);
    }
    const before = await t.call('POST', '/v1/account/deposits', { json: { amount: '5' }, as: t.operator });
    expect(before.status).toBe(409);
  });
});

describe('bills', () => {
  test('are paid when the money arrives: a waiting order is executed, a completed one settled', async () => {
    await empty();
    const waiting = await order('paid-by-bank.com', 'only_add');
    const kept = await order('kept-by-bank.com', 'keep_invoice');
    const made = await expectMoney({ customer_id: customer, transaction_id: [waiting, kept] });
    expect(made).toMatchObject({ amount: { amount: '30.00' }, transaction_ids: [waiting, kept] });
    const short = await importCsv(`amount,reference,id\n29.99,${made.reference},e1`);
    expect(short.lines[0].fate).toBe('underpaid');
    expect((await bill(waiting)).status).toBe('unpaid');
    const rest = await importCsv(`amount,reference,id\n29.99,${made.reference},e1\n0.01,${made.reference},e2`);
    expect(rest.lines.map(({ fate }: { fate: string }) => fate)).toEqual(['already_seen', 'matched']);
    await vi.waitFor(async () => expect((await bill(waiting)).status).toBe('completed'), 300_000);
    expect(await bill(kept)).toMatchObject({ status: 'completed', amount: 15 });
    expect(await read(made.payment_id)).toMatchObject({ status: 'paid', settlement: 'done' });
    expect((await t.call('GET', '/v1/domains/paid-by-bank.com')).body.status).toBe('active');
    expect(await spendable()).toBe('0.00');
  });
  test('leaves the money on the balance, with an event, if the bills cannot be paid any more', async () => {
    await empty();
    const waiting = await order('given-up.com', 'only_add');
    const made = await expectMoney({ customer_id: customer, transaction_id: [waiting] });
    ok(await t.call('POST', `/v1/customers/${customer}/transactions/cancel`, { form: { transaction_id: waiting } }));
    const paid = ok(await confirm(made.payment_id, {})).body;
    expect(paid).toMatchObject({
      status: 'paid',
      settlement: 'refused',
      settlement_reason: `Order ${waiting} is cancelled.`,
    });
    expect(await spendable()).toBe('15.00');
    const { body } = await t.call('GET', '/v1/events', { query: { type: 'payment.not_used', limit: '1000' } });
    expect(body.events.map((each: { object_id: string }) => each.object_id)).toContain(made.payment_id);
    const unpaid = await order('unpaid.com', 'only_add');
    const late = await expectMoney({ customer_id: customer, transaction_id: [unpaid] });
    t.moveClock('+31d');
    await expireOrders(t.ctx);
    const why = `${unpaid} has expired because it was not paid in time`;
    expect(ok(await confirm(late.payment_id, {})).body.settlement_reason).toBe(`Order ${why}.`);
    const again = await t.call('POST', '/v1/payments', { form: { customer_id: customer, transaction_id: unpaid } });
    expect([again.status, again.body.errors[0].message]).toEqual([400, expect.stringContaining(`Bill ${why}`)]);
    expect(await spendable()).toBe('30.00');
  });
  test('reduced by a credit note are paid with the remaining debt, and the rest is reported as surplus', async () => {
    await empty();
    const credit = async (id: string, amount: string) => {
      const { invoice_id } = await vi.waitFor(async () => {
        await issueDue(t.ctx);
        const { body } = ok(await t.call('GET', '/v1/invoices', { query: { limit: '100' } }));
        const found = body.find(
          (each: { transaction_id: string; number: string | null }) => each.transaction_id === id && each.number,
        );
        expect(found, id).toBeDefined();
        return found;
      }, 300_000);
      ok(await t.call('POST', `/v1/invoices/${invoice_id}/credit_note`, { json: { amount, reason: 'a discount' } }));
    };
    const kept = await order('smaller-bill.com', 'keep_invoice');
    const made = await expectMoney({ customer_id: customer, transaction_id: [kept] });
    await credit(kept, '4.00');
    expect(await read(made.payment_id)).toMatchObject({ amount: { amount: '11.00' }, missing: { amount: '11.00' } });
    const paid = ok(await confirm(made.payment_id, { amount: '12.50' })).body;
    expect(paid).toMatchObject({ status: 'paid', settlement: 'done', amount: { amount: '11.00' } });
    expect([paid.surplus.amount, await spendable()]).toEqual(['1.50', '1.50']);
    await empty();
    const other = await order('smaller-later.com', 'keep_invoice');
    const part = await expectMoney({ customer_id: customer, transaction_id: [other] });
    ok(await confirm(part.payment_id, { amount: '10.00' }));
    await credit(other, '5.00');
    const nothing = await confirm(part.payment_id, {});
    expect([nothing.status, nothing.body.errors?.[0].field]).toEqual([400, 'amount']);
    await settlePayments(t.ctx);
    expect(await read(part.payment_id)).toMatchObject({ status: 'paid', settlement: 'done' });
    expect([(await bill(other)).status, await spendable()]).toEqual(['completed', '0.00']);
  });
  test('paid by two payments report the second payment as unused', async () => {
    await empty();
    const kept = await order('paid-twice.com', 'keep_invoice');
    const [first, second] = [
      await expectMoney({ customer_id: customer, transaction_id: [kept] }),
      await expectMoney({ customer_id: customer, transaction_id: [kept] }),
    ];
    expect(ok(await confirm(first.payment_id, {})).body).toMatchObject({ settlement: 'done' });
    const unused = ok(await confirm(second.payment_id, {})).body;
    expect(unused).toMatchObject({ status: 'paid', settlement: 'refused', settlement_reason: /otherwise/ as never });
    expect(await spendable()).toBe('15.00');
  });
  test('are paid by a background job if the process was killed after the money arrived', async () => {
    await empty();
    const waiting = await order('died-between.com', 'only_add');
    const made = await expectMoney({ customer_id: customer, transaction_id: [waiting] });
    const failpoint = t.ctx.failpoint;
    const dying = vi.spyOn(t.ctx, 'failpoint').mockImplementation((label) => {
      if (label === 'payment:after-confirm') throw new Error('killed');
      failpoint(label);
    });
    expect((await confirm(made.payment_id, {})).status).toBe(500);
    dying.mockRestore();
    await Promise.all([settlePayments(t.ctx), settlePayments(t.ctx)]);
    await vi.waitFor(async () => expect((await bill(waiting)).status).toBe('completed'), 300_000);
    expect(await read(made.payment_id)).toMatchObject({ settlement: 'done' });
    expect(await spendable()).toBe('0.00');
  });
});

describe('bank statement import', () => {
  test('reports the outcome of each line in a dry run, an import and a repeated import', async () => {
    await empty();
    const [a, b, c] = await Promise.all(
      ['20.00', '30.00', '40.00'].map((amount) => expectMoney({ customer_id: customer, amount })),
    );
    const csv = [
      'date,amount,currency,reference',
      `2026-11-16,20.00,USD,"${groupedReference(a.reference)}, thanks"`,
      `2026-11-16,31.00,USD,${b.reference}`,
      `2026-11-16,5.00,USD,${c.reference}`,
      `2026-11-16,5.00,USD,${c.reference}`,
      `2026-11-16,40.00,EUR,${c.reference}`,
      `2026-11-16,1.001,USD,${c.reference}`,
      `2026-11-16,-12.00,USD,${c.reference}`,
      '2026-11-16,12.00,USD,the rent',
      `2026-11-16,12.00,USD,${a.reference} ${b.reference}`,
    ].join('\r\n');
    const fates = [
      'matched',
      'overpaid',
      'underpaid',
      'underpaid',
      'wrong_currency',
      'wrong_amount',
      'outgoing',
      'unknown_reference',
      'unknown_reference',
    ];
    const fatesOf = ({ lines }: { lines: { fate: string }[] }) => lines.map(({ fate }) => fate);
    expect(fatesOf(await importCsv(csv, { dry_run: true }))).toEqual(fates);
    expect(await spendable()).toBe('0.00');
    expect(fatesOf(await importCsv(csv))).toEqual(fates);
    expect(await spendable()).toBe('61.00');
    const again = fates.map((fate) => (/paid|matched/.test(fate) ? 'already_seen' : fate));
    expect(fatesOf(await importCsv(csv, { dry_run: true }))).toEqual(again);
    expect(fatesOf(await importCsv(csv))).toEqual(again);
    expect(await spendable()).toBe('61.00');
    expect(await read(c.payment_id)).toMatchObject({ received: { amount: '10.00' }, missing: { amount: '30.00' } });
  });
  test('reports a reused entry id with another amount and moves no money', async () => {
    await empty();
    const [a, b] = await Promise.all(['5.00', '6.00'].map((amount) => expectMoney({ customer_id: customer, amount })));
    const fateOf = async (csv: string, more: object = {}) =>
      (await importCsv(`id,amount,reference\n${csv}`, more)).lines.map(({ fate }: { fate: string }) => fate);
    expect(await fateOf(`counted-1,5.00,${a.reference}\ncounted-1,6.00,${b.reference}`, { dry_run: true })).toEqual([
      'matched',
      'id_reused',
    ]);
    expect(await fateOf(`counted-1,5.00,${a.reference}`)).toEqual(['matched']);
    for (const more of [{ dry_run: true }, {}]) {
      expect(await fateOf(`counted-1,5.00,${a.reference}`, more)).toEqual(['already_seen']);
      expect(await fateOf(`counted-1,6.00,${b.reference}`, more)).toEqual(['id_reused']);
      expect(await fateOf(`counted-1,5.01,${a.reference}`, more)).toEqual(['id_reused']);
    }
    const instalments = await expectMoney({ customer_id: customer, amount: '10.00' });
    const dated = async (date: string, more: object = {}) =>
      (await importCsv(`id,date,amount,reference\nfile-1,${date},5.00,${instalments.reference}`, more)).lines[0].fate;
    expect(await dated('2026-10-31')).toBe('underpaid');
    for (const more of [{ dry_run: true }, {}])
      expect([await dated('2026-10-31', more), await dated('2026-11-30', more)]).toEqual(['already_seen', 'id_reused']);
    const refused = await confirm(b.payment_id, { entry_id: 'counted-1' });
    expect([refused.status, refused.body.errors?.[0].field]).toEqual([400, 'entry_id']);
    expect(await spendable()).toBe('10.00');
  });
  test('reads semicolons, tabs, decimal commas and thousands separators', async () => {
    await empty();
    const made = await expectMoney({ customer_id: customer, amount: '5000.00' });
    const of = (lines: string[]) => lines.join('\n').replaceAll('REF', made.reference);
    const semicolons = of(['date;amount;reference', '1;1.234,50;REF', '2;14,5;REF', '3;-3,00;REF', '4;1,234;REF']);
    expect((await importCsv(semicolons)).lines.map(({ fate }: { fate: string }) => fate)).toEqual([
      'underpaid',
      'underpaid',
      'outgoing',
      'wrong_amount',
    ]);
    ok(await t.call('POST', '/v1/payments/import', { json: { csv: of(['reference\tamount', 'REF\t1,001.00']) } }));
    expect(await spendable()).toBe('2250.00');
    const above = of(['sep=;', 'Bank Contoh', '"Account";4711', 'date;amount;reference', '5;Rp1;REF', '6;$ 2,00;REF']);
    expect((await importCsv(above)).lines).toMatchObject([
      { line: 5, fate: 'wrong_amount' },
      { line: 6, fate: 'underpaid' },
    ]);
    expect(await spendable()).toBe('2252.00');
    const wide = { json: { csv: of(['date,amount,reference', '7,1,50,REF']) } };
    const refused = await t.call('POST', '/v1/payments/import', wide);
    expect([refused.status, refused.body.errors[0].message]).toEqual([400, expect.stringContaining('Line 2 has more')]);
    const huge = of(['amount,reference', '1234567890123,REF']);
    for (const more of [{ dry_run: true }, {}])
      expect((await importCsv(huge, more)).lines[0].fate, huge).toBe('wrong_amount');
  });
  test('limits the file size and requires column names', async () => {
    const twice = 'amount,reference,amount\n1,x,2';
    for (const csv of [
      'amount\n1',
      'nothing',
      twice,
      'amount,reference\n"1,x',
      `amount,reference\n${'1,x\n'.repeat(2_001)}`,
    ]) {
      const { status, body } = await t.call('POST', '/v1/payments/import', { json: { csv } });
      expect([status, body.errors?.[0].field], csv.slice(0, 20)).toEqual([400, 'csv']);
    }
  });
  test('runs on the command line: list, dry run, confirm', async () => {
    await empty();
    const made = await expectMoney({ customer_id: customer, amount: '7.00' });
    const tools = { withContext: (work: (ctx: unknown) => unknown) => work(t.ctx) } as unknown as Tools;
    const run = (name: string, positionals: string[], options: Record<string, string | boolean> = {}) =>
      paymentCommands
        .find((each) => each.name === name)!
        .run({ tools, positionals, options: { reseller: '1000', ...options } });
    expect((await run('payment list', [])).lines!.join('\n')).toContain(`${made.reference} open: 0.00 of 7.00 USD`);
    expect((await run('payment confirm', [made.payment_id], { entry: 'x1' })).lines!.join()).toContain('matched');
    expect((await run('payment confirm', [made.payment_id], { entry: 'x1' })).lines!.join()).toContain('already_seen');
    expect(await spendable()).toBe('7.00');
  });
});

describe('deposit of a reseller', () => {
  test('is announced by the child and confirmed only by its parent', async () => {
    const id = child.split(':')[0]!;
    const made = ok(await t.call('POST', '/v1/account/deposits', { json: { amount: '250.00' }, as: child })).body;
    expect(made).toMatchObject({ reseller_id: '1000', payer_id: id, instructions: { details: 'Bank 1, 4711' } });
    expect((await read(made.payment_id, child)).reference).toBe(made.reference);
    for (const as of [child, t.operator])
      expect((await confirm(made.payment_id, {}, { as })).status, 'only who is paid knows').toBe(404);
    const foreign = await importCsv(`amount,reference\n250.00,${made.reference}`, {}, t.operator);
    expect(foreign.lines[0].fate).toBe('unknown_reference');
    const before = (await t.call('GET', '/v1/account/funds', { as: child })).body.balance.amount;
    const { lines } = await importCsv(`amount,reference\n250.00,${made.reference}`);
    expect(lines[0]).toMatchObject({ fate: 'matched', payment_id: made.payment_id });
    const after = (await t.call('GET', '/v1/account/funds', { as: child })).body.balance.amount;
    expect(Number(after) - Number(before)).toBe(250);
    const other = ok(await t.call('POST', '/v1/account/deposits', { json: { amount: '1.00' }, as: child })).body;
    const takeBack = (of: string, as: string) => t.call('POST', `/v1/payments/${of}/cancel`, { as });
    expect((await takeBack(other.payment_id, t.operator)).status).toBe(404);
    expect(ok(await takeBack(other.payment_id, child)).body.status, 'who announced it').toBe('cancelled');
    expect((await takeBack(made.payment_id, child)).status, 'paid').toBe(409);
    const listed = ok(await t.call('GET', '/v1/payments', { as: child, query: { status: 'paid' } })).body;
    expect(listed.map(({ payment_id }: { payment_id: string }) => payment_id)).toEqual([made.payment_id]);
  });
});

describe('signed notices of a payment provider', () => {
  const card = (more: object = {}) =>
    expectMoney({ customer_id: customer, amount: '40.00', provider: 'test_card', ...more });
  const body = (id: string, reference: string, amount = '40.00', currency = 'USD') =>
    JSON.stringify({ id, type: 'paid', reference, amount, currency });
  const post = async (text: string, signature: string | null, path = '/payments/test_card/1000') => {
    const headers = { 'Content-Type': 'application/json', ...(signature ? { 'X-Card-Signature': signature } : {}) };
    const answer = await fetch(`${t.url}${path}`, { method: 'POST', headers, body: text });
    return { status: answer.status, body: (await answer.json()) as Record<string, never> };
  };
  const fateOf = ({ body: { events } }: { body: { events?: { fate: string }[] } }) => events?.map(({ fate }) => fate);

  test('move money once, however often and in whatever order they arrive', async () => {
    await empty();
    const made = await card();
    const text = body('evt1', made.reference, '30.00');
    const [later, first] = [await post(text, sign(secret, text)), body('evt0', made.reference, '10.00')];
    expect([later.status, fateOf(later)]).toEqual([200, ['underpaid']]);
    const crowd = await Promise.all(Array.from({ length: 20 }, () => post(first, sign(secret, first))));
    expect(crowd.flatMap(fateOf).sort()).toEqual([...Array(19).fill('already_seen'), 'matched']);
    const pending = JSON.stringify({ id: 'evt-1', type: 'pending', reference: made.reference });
    expect(fateOf(await post(pending, sign(secret, pending)))).toEqual([]);
    const more = body('evt2', made.reference, '1.00');
    expect(fateOf(await post(more, sign(secret, more)))).toEqual(['late']);
    expect(await read(made.payment_id)).toMatchObject({ status: 'paid', surplus: { amount: '1.00' } });
    expect(await spendable()).toBe('41.00');
  });
  test('get one answer and have no effect when forged, expired, altered or for no account', async () => {
    await empty();
    const made = await card();
    const text = body('forged', made.reference);
    const good = sign(secret, text);
    const rows = await countRows(t, 'payment', sql`true`);
    const answers = [
      await post(text, null),
      await post(text, 'nonsense'),
      await post(text, sign('another secret that nobody has', text)),
      await post(text, sign(`${secret}, another`, text)),
      await post(text, sign(secret, text, Date.now() - 3_600_000)),
      await post(text.replace('40.00', '40000.00'), good),
      await post(`${text} `, good),
      await post(text, good, '/payments/nobody/1000'),
      await post(text, good, '/payments/bank_transfer/1000'),
      await post(text, good, '/payments/test_card/999999'),
      await post(text, good, '/payments/test_card/1'),
      await post(text, good, '/payments/test_card/x'),
      await post('not json', sign('x', 'not json')),
    ];
    const plain = answers.map(({ status, body: { request_id: _, ...rest } }) => JSON.stringify({ status, rest }));
    expect(new Set(plain).size, [...new Set(plain)].join('\n')).toBe(1);
    expect(answers[0]!.status).toBe(401);
    expect(await countRows(t, 'payment', sql`true`)).toBe(rows);
    expect(await spendable()).toBe('0.00');
    const large = body('large', 'x'.repeat(70_000));
    expect((await post(large, sign(secret, large))).status).toBe(413);
    const broken = await post('not json', sign(secret, 'not json'));
    expect(broken.status).toBe(400);
  });
  test('move no money, and are reported once, for an unknown payment, another seller or currency', async () => {
    await empty();
    const made = await card();
    for (const [id, reference, currency, key, path, fate] of [
      [
        'foreign',
        made.reference,
        'USD',
        `${secret}, another`,
        `/payments/test_card/${child.split(':')[0]}`,
        'unknown_reference',
      ],
      ['unknown', 'RF00NOBODY', 'USD', secret, '/payments/test_card/1000', 'unknown_reference'],
      ['euros', made.reference, 'EUR', secret, '/payments/test_card/1000', 'wrong_currency'],
    ] as const) {
      const text = body(id, reference, '40.00', currency);
      expect(fateOf(await post(text, sign(key, text), path)), id).toEqual([fate]);
      expect(fateOf(await post(text, sign(key, text), path)), id).toEqual(['already_seen']);
    }
    expect(await spendable()).toBe('0.00');
    const { body: reported } = await t.call('GET', '/v1/events', {
      query: { type: 'payment.unmatched', limit: '1000' },
    });
    expect(reported.events).toHaveLength(2);
    expect(await read(made.payment_id)).toMatchObject({ status: 'open', received: { amount: '0.00' } });
  });
  test('charge back once, also when the money is spent, which leaves a negative balance', async () => {
    await empty();
    const waiting = await order('charged-back.com', 'only_add');
    const made = await expectMoney({ customer_id: customer, transaction_id: [waiting], provider: 'test_card' });
    const reported = (id: string, type: string, amount: string) =>
      JSON.stringify({ id, type, reference: made.reference, amount, currency: 'USD' });
    const tell = async (text: string) => fateOf(await post(text, sign(secret, text)));
    const receipts = async () => (await t.call('GET', `/v1/customers/${customer}`)).body.total_receipts as string;
    const before = Number(await receipts());
    expect(await tell(reported('cb-paid', 'paid', '15.00'))).toEqual(['matched']);
    await vi.waitFor(async () => expect((await bill(waiting)).status).toBe('completed'), 300_000);
    const large = reported('cb-large', 'charged_back', '15.01');
    expect([await tell(large), await tell(large)]).toEqual([['charge_back_pending'], ['already_seen']]);
    const back = reported('cb-back', 'charged_back', '15.00');
    const crowd = await Promise.all(Array.from({ length: 10 }, () => tell(back)));
    expect(crowd.flat().sort()).toEqual([...Array(9).fill('already_seen'), 'charged_back']);
    expect(await spendable()).toBe('-15.00');
    expect(await read(made.payment_id)).toMatchObject({
      status: 'paid',
      received: { amount: '15.00' },
      charged_back: { amount: '15.00' },
    });
    expect(Number(await receipts()) - before).toBe(0);
    // Purchases stay paid; nothing can be bought on the debt.
    expect((await bill(waiting)).status).toBe('completed');
    const next = await order('after-charge-back.com', 'only_add');
    const pay = (form: Record<string, string>) =>
      t.call('POST', `/v1/customers/${customer}/transactions/pay`, { form: { transaction_id: next, ...form } });
    for (const subtract_balance of ['true', 'false']) {
      const poor = await pay({ subtract_balance });
      expect([poor.status, poor.body.missing.amount]).toEqual([402, subtract_balance === 'true' ? '30.00' : '15.00']);
    }
    expect((await t.call('DELETE', `/v1/customers/${customer}`)).status).toBe(409);
    // The dispute was won: the provider pays it out once more.
    expect(await tell(reported('cb-won', 'paid', '15.00'))).toEqual(['late']);
    expect(await spendable()).toBe('0.00');
    expect((await pay({ subtract_balance: 'false' })).status).toBe(200);
    expect(await tell(reported('cb-more', 'charged_back', '16.00'))).toEqual(['charge_back_pending']);
    const { body: events } = await t.call('GET', '/v1/events', {
      query: { type: 'payment.charged_back', limit: '10' },
    });
    expect(events.events).toMatchObject([{ payload: { customer_id: customer, amount: { amount: '15.00' } } }]);
  });
  test('charge back a sub-reseller as well', async () => {
    const childId = child.split(':')[0]!;
    const made = await expectMoney({ reseller_id: childId, amount: '5.00', provider: 'test_card' });
    const funds = async () => (await t.call('GET', '/v1/account/funds', { as: child })).body.balance.amount as string;
    const text = (id: string, type: string) =>
      JSON.stringify({ id, type, reference: made.reference, amount: '5.00', currency: 'USD' });
    const before = Number(await funds());
    for (const [id, type] of [
      ['child-paid', 'paid'],
      ['child-back', 'charged_back'],
    ] as const)
      await post(text(id, type), sign(secret, text(id, type)));
    expect([Number(await funds()), (await read(made.payment_id)).charged_back.amount]).toEqual([before, '5.00']);
  });
  test('charge back once if the process is killed and the provider sends the notice again', async () => {
    await empty();
    const made = await card();
    const paid = body('cb-dying', made.reference);
    expect(fateOf(await post(paid, sign(secret, paid)))).toEqual(['matched']);
    for (const [when, fate] of [
      ['before', 'charged_back'],
      ['in', 'charged_back'],
      ['after', 'already_seen'],
    ] as const) {
      const text = body(`cb-${when}`, made.reference, '10.00').replace('paid', 'charged_back');
      const dying = vi.spyOn(t.ctx, 'failpoint').mockImplementation((label) => {
        if (label === `payment:${when}-take-back`) throw new Error('killed');
      });
      expect((await post(text, sign(secret, text))).status).toBe(500);
      dying.mockRestore();
      expect(fateOf(await post(text, sign(secret, text))), when).toEqual([fate]);
    }
    expect([await spendable(), (await read(made.payment_id)).charged_back.amount]).toEqual(['10.00', '30.00']);
    await empty();
  });
  test('encrypts the secret and never returns it', async () => {
    const { text } = ok(await t.call('GET', '/v1/account/payment_providers'));
    expect(text).not.toContain(secret);
    const rows = await t.ctx.db.as(allTenants).many(sql`select * from payment_account`);
    expect(JSON.stringify(rows)).not.toContain(secret);
    const audit = await t.call('GET', '/v1/account/audit', { query: { limit: '100' } });
    expect(audit.text).not.toContain(secret);
  });
});

test('notifies the owner of new payment details, and requires recent authentication in a session', async () => {
  const seller = await makeReseller(t);
  const [sellerId] = seller.split(':') as [string];
  const reported = async () =>
    ((await t.call('GET', '/v1/notices', { query: { kind: 'account_security' }, as: seller })).body as object[]).length;
  const before = await reported();
  const bank = (details: string) =>
    t.call('PUT', '/v1/account/payment_providers/bank_transfer', { as: seller, json: { details } });
  ok(await bank('Bank 1, 4711'));
  expect(await reported()).toBe(before + 1);
  ok(await bank('Bank 1, 4711'));
  expect(await reported()).toBe(before + 1);
  ok(await t.call('PUT', '/v1/invoices/settings', { as: seller, json: { footer: 'Bank 2, 4712' } }));
  expect(await reported()).toBe(before + 2);
  ok(await t.call('PUT', '/v1/invoices/settings', { as: seller, json: { due_days: 7 } }));
  expect(await reported()).toBe(before + 2);
  const session = await openSession(t, sellerId, { email: 'owner@seller.example' });
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`update person_session set sudo_until = null where person_id =
      (select id from person where email = 'owner@seller.example')`),
  );
  for (const [path, json] of [
    ['/v1/account/payment_providers/bank_transfer', { details: 'Bank 3' }],
    ['/v1/invoices/settings', { footer: 'Bank 3' }],
  ] as const)
    expect((await t.call('PUT', path, { session, json })).body.code, path).toBe('reauthentication_required');
});
