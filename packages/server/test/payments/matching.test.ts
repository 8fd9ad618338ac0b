import { createHash } from 'node:crypto';
import { type Database, everyTenant, openDatabase, sql } from '@namehold/base';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { booksAgree } from '../../../../test/support/books.ts';
import { makeCustomer } from '../../../../test/support/parties.ts';
import { countRows } from '../../../../test/support/rows.ts';
import { type Called, startTestService, type TestService } from '../../../../test/support/service.ts';
import { cliActor } from '../../src/cli/command.ts';
import { differenceKey } from '../../src/core/books/difference.ts';
import { mend } from '../../src/core/books/mend.ts';
import { verifyAndTell } from '../../src/core/books/report.ts';
import { verifyBooks } from '../../src/core/books/verify.ts';
import type { PaymentProvider } from '../../src/core/payments/provider.ts';
import { spokenReference } from '../../src/core/payments/reference.ts';
import { sign, testCard } from './test-card.ts';

const secret = 'a secret of the card provider';
let t: TestService;
let customer: string;
/** Past triggers and grants. */
let owner: Database;

beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  customer = await makeCustomer(t);
  owner = openDatabase({ url: t.databaseUrl, maxConnections: 1 });
  (t.house.providers as Map<string, PaymentProvider>).set(testCard.name, testCard);
  ok(await t.call('PUT', '/v1/account/payment_providers/bank_transfer', { json: { details: 'Bank 1, 4711' } }));
  ok(await t.call('PUT', '/v1/account/payment_providers/test_card', { json: { details: 'cards', secret } }));
});
afterAll(async () => {
  await booksAgree(t);
  await owner.close();
  await t.stop();
});

function ok(called: Called): Called {
  expect(called.status, called.text).toBe(200);
  return called;
}

const expectMoney = async (json: object) => ok(await t.call('POST', '/v1/payments', { json })).body;
const received = async (id: string) => ok(await t.call('GET', `/v1/payments/${id}`)).body.received.amount as string;
const confirm = (id: string, json: object) => t.call('POST', `/v1/payments/${id}/confirm`, { json });
const importCsv = async (csv: string, dry_run = false) =>
  ok(await t.call('POST', '/v1/payments/import', { json: { csv, dry_run } })).body.lines.map(
    ({ fate }: { fate: string }) => fate,
  ) as string[];

describe('a line of a bank statement', () => {
  /** A payment of 1,000.00 that is paid in parts; `file` imports lines with its reference in place of REF, dry first. */
  async function parts() {
    const made = await expectMoney({ customer_id: customer, amount: '1000.00' });
    const id = made.payment_id as string;
    const file = async (...lines: string[]) => {
      const csv = lines.join('\n').replaceAll('REF', made.reference);
      const before = await received(id);
      const dry = await importCsv(csv, true);
      expect(await received(id), 'a dry run books nothing').toBe(before);
      const fates = await importCsv(csv);
      expect(dry, 'a dry run foretells the import').toEqual(fates);
      await booksAgree(t, ['entries']);
      return fates;
    };
    return { id, reference: made.reference as string, file, sum: () => received(id) };
  }
  const [seen, part] = ['already_seen', 'underpaid'];

  test('of the same amount, day and reference at another time or by another payer is another payment', async () => {
    const { file, sum } = await parts();
    const head = 'date,time,amount,reference,payer';
    expect(await file(head, '2026-11-16,10:22,10.00,REF,Ani')).toEqual([part]);
    expect(await file(head, '2026-11-16,17:05,10.00,REF,Ani')).toEqual([part]);
    expect(await file(head, '2026-11-16,10:22,10.00,REF,Budi')).toEqual([part]);
    expect(await sum()).toBe('30.00');
    const all = [
      head,
      '2026-11-16,10:22:00,10.00,REF,Ani',
      '2026-11-16,17:05,10.00,REF,Ani',
      '2026-11-16,10:22,10.00,REF,Budi',
    ];
    expect(await file(...all)).toEqual([seen, seen, seen]);
    const inDate = 'date,amount,reference';
    expect(await file(inDate, '2026-11-17 09:00,1.00,REF', '2026-11-17 09:01,1.00,REF')).toEqual([part, part]);
    expect(await file(inDate, '2026-11-17T09:01:00Z,1.00,REF')).toEqual([seen]);
    expect(await file(inDate, '2026-11-17T09:02:00Z,1.00,REF')).toEqual([part]);
    expect(await sum()).toBe('33.00');
  });

  test.each([
    ['amounts', '2026-11-16,10,USD,REF,Ani', '2026-11-16,"10,00",USD,REF,Ani', '2026-11-16,USD 10.00,USD,REF,Ani'],
    [
      'dates',
      '16/11/2026,10.00,USD,REF,Ani',
      '16.11.2026,10.00,USD,REF,Ani',
      '20261116,10.00,USD,REF,Ani',
      '16 Nov 2026,10.00,USD,REF,Ani',
    ],
    ['blanks and case of the currency', '2026-11-16, 10.00 ,usd, REF ,Ani', ' 2026-11-16,10.00,Usd,"REF",  Ani '],
  ])('is recognised in another spelling: %s', async (_what, ...again) => {
    const { file, sum } = await parts();
    const head = 'date,amount,currency,reference,payer';
    expect(await file(head, '2026-11-16,10.00,USD,REF,Ani')).toEqual([part]);
    for (const line of again) expect(await file(head, line), line).toEqual([seen]);
    expect(await sum()).toBe('10.00');
  });

  test('is recognised in other formats: by all columns that both have', async () => {
    const { file, sum, reference } = await parts();
    expect(await file('date,amount,currency,reference', '2026-11-16,10.00,USD,REF')).toEqual([part]);
    expect(await file('date,amount,reference', '2026-11-16,10,REF')).toEqual([seen]);
    expect(await file('amount;date;reference', '10,00;16/11/2026;REF')).toEqual([seen]);
    expect(await file('date,amount,reference', `2026-11-16,10,${spokenReference(reference)}`)).toEqual([seen]);
    // With a payer and an id it is still that entry, and from then on it is known by them.
    const wide = 'id,date,amount,reference,payer';
    expect(await file(wide, 'B-1,2026-11-16,10.00,REF,Ani')).toEqual([seen]);
    expect(await file(wide, 'B-2,2026-11-16,10.00,REF,Ani')).toEqual([part]);
    expect(await file('date,amount,reference,payer', '2026-11-16,10.00,REF,Budi')).toEqual([part]);
    expect(await file('date,amount,reference', ...Array(3).fill('2026-11-16,10.00,REF'))).toEqual([seen, seen, seen]);
    expect(await sum()).toBe('30.00');
  });

  test('with a running balance is recognised with other signs for thousands and decimals', async () => {
    const { file, sum } = await parts();
    expect(await file('date,amount,reference,balance', '2026-11-16,10.00,REF,"1,010.50"')).toEqual([part]);
    expect(await file('date;amount;reference;balance', '16.11.2026;10,00;REF;1.010,50')).toEqual([seen]);
    expect(await file('date;amount;reference;balance', '16.11.2026;10,00;REF;1.020,50')).toEqual([part]);
    expect(await sum()).toBe('20.00');
  });

  test('with a date that can be read in two ways is recognised in either, and is not another day of the same form', async () => {
    const { file, sum } = await parts();
    expect(await file('date,amount,reference', '03/04/2026,10.00,REF')).toEqual([part]);
    expect(await file('date,amount,reference', '2026-04-03,10.00,REF', '25/04/2026,11.00,REF')).toEqual([seen, part]);
    expect(await file('date,amount,reference', '04/03/2026,10.00,REF')).toEqual([part]);
    expect(await sum()).toBe('31.00');
  });

  test('counts as often as it stands in the file where it stands most often', async () => {
    const { file, sum } = await parts();
    const [head, line, other] = ['date,amount,reference', '2026-11-16,10.00,REF', '2026-11-15,10.00,REF'];
    expect(await file(head, line, line)).toEqual([part, part]);
    expect(await file(head, line, line, line)).toEqual([seen, seen, part]);
    expect(await file(head, line)).toEqual([seen]);
    expect(await file(head, other, line, line)).toEqual([part, seen, seen]);
    expect(await file('date,amount,currency,reference', ...Array(4).fill('2026-11-16,"10,00",USD,REF'))).toEqual([
      seen,
      seen,
      seen,
      part,
    ]);
    expect(await sum()).toBe('50.00');
  });

  test('is credited once when the same file is imported many times at once', async () => {
    const { reference, sum } = await parts();
    const csv = (amount: string) =>
      `date,amount,reference\n2026-11-16,${amount},${reference}\n2026-11-16,${amount},${reference}`;
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        importCsv(
          n % 2 === 0
            ? csv('10.00')
            : csv('"10,00"').replace('date,', 'payer,date,').replaceAll('2026-11-16', 'Ani,2026-11-16'),
        ),
      ),
    );
    expect(all.flat().filter((fate) => fate !== seen)).toHaveLength(2);
    expect(await sum()).toBe('20.00');
  });

  test('that was credited by an earlier release is recognised by amount, reference and day', async () => {
    const { id, file, sum } = await parts();
    const old = async (raw: string, date: string | null) => {
      const event = `line_${createHash('sha256').update(raw).digest('hex')}`;
      ok(await confirm(id, { amount: '10.00', entry_id: event }));
      await owner.transaction(everyTenant, (tx) =>
        tx.run(sql`update payment set entry_date = ${date} where event_id = ${event}`),
      );
    };
    await old('1\u000010.00', '16/11/2026');
    await old('2\u000010.00', '16/11/2026');
    const head = 'date,amount,reference,payer';
    expect(await file(head, '2026-11-16,10,REF,Ani')).toEqual([seen]);
    expect(await file(head, '2026-11-17,10,REF,Ani')).toEqual([part]);
    expect(await file(head, '2026-11-16,10,REF,Ani', '2026-11-16,10,REF,Budi', '2026-11-16,10,REF,Citra')).toEqual([
      seen,
      seen,
      part,
    ]);
    expect(await sum()).toBe('40.00');
  });

  test('and a confirmation by hand with the id of the entry count once, in either order', async () => {
    const { id, file, sum } = await parts();
    expect(await file('date,amount,reference', '2026-11-16,10.00,REF')).toEqual([part]);
    expect(await file('id,date,amount,reference', 'H-1,2026-11-16,10.00,REF')).toEqual([seen]);
    ok(await confirm(id, { amount: '10.00', entry_id: 'H-1' }));
    ok(await confirm(id, { amount: '10.00', entry_id: 'H-2' }));
    expect(await file('id,date,amount,reference', 'H-2,2026-11-16,10.00,REF')).toEqual([seen]);
    expect(await sum()).toBe('20.00');
  });

  test('keeps no text of payers', async () => {
    const { file } = await parts();
    await file('date,amount,reference,payer', '2026-11-16,10.00,REF,Very Secret Payer');
    const rows = await t.house.db.as(everyTenant).many(sql`select * from statement_line`);
    expect(JSON.stringify(rows)).not.toContain('Secret');
    expect(await countRows(t, 'statement_line', sql`true`)).toBeGreaterThan(0);
  });
});

describe('a charge-back', () => {
  const notice = async (id: string, type: string, reference: string, amount: string) => {
    const body = JSON.stringify({ id, type, reference, amount, currency: 'USD' });
    const headers = { 'Content-Type': 'application/json', 'X-Card-Signature': sign(secret, body) };
    const answer = await fetch(`${t.url}/payments/test_card/1000`, { method: 'POST', headers, body });
    return ((await answer.json()) as { events: { fate: string }[] }).events?.[0]?.fate ?? answer.status;
  };
  const balance = async (of: string) =>
    (await t.call('GET', `/v1/customers/${of}/funds`)).body.balance.amount as string;
  /** A payment of a customer of its own. */
  async function card(provider = 'test_card', amount = '40.00') {
    const payer = await makeCustomer(t);
    const made = await expectMoney({ customer_id: payer, amount, provider });
    const reference = made.reference as string;
    return {
      id: made.payment_id as string,
      reference,
      paid: (id: string, of = amount) => notice(id, 'paid', reference, of),
      back: (id: string, of = amount) => notice(id, 'charged_back', reference, of),
      balance: () => balance(payer),
    };
  }
  const unmatched = async () =>
    (await verifyBooks(t.house, ['entries'])).differences.filter(({ rule }) => rule === 'charge_back_unmatched');

  test('of a payment that came with the reference of another provider is debited, up to what this provider paid', async () => {
    const it = await card('bank_transfer');
    expect(await it.paid('x-paid', '30.00')).toBe('underpaid');
    ok(await confirm(it.id, { amount: '10.00', entry_id: 'x-bank' }));
    expect(await it.back('x-more', '30.01')).toBe('charge_back_pending');
    expect([await it.back('x-back', '30.00'), await it.back('x-back', '30.00')]).toEqual([
      'charged_back',
      'already_seen',
    ]);
    expect(await it.back('x-again', '10.00'), 'the bank paid the rest').toBe('charge_back_pending');
    expect(await it.balance()).toBe('10.00');
    expect(await it.paid('x-late', '10.00')).toBe('late');
    expect(await it.balance(), 'now this provider has paid it').toBe('10.00');
    await booksAgree(t, ['entries']);
  });

  test('that arrives before its payment is pending, and is debited once when the payment arrives', async () => {
    const it = await card();
    expect([await it.back('early'), await it.back('early')]).toEqual(['charge_back_pending', 'already_seen']);
    expect(await it.balance()).toBe('0.00');
    expect(await it.paid('early-paid', '25.00')).toBe('underpaid');
    expect(await it.balance(), 'more is to come').toBe('25.00');
    const all = await Promise.all([it.paid('early-rest', '15.00'), it.paid('early-rest', '15.00'), it.back('early')]);
    expect(all.sort()).toEqual(['already_seen', 'already_seen', 'matched']);
    expect([await it.balance(), await it.back('early')]).toEqual(['0.00', 'already_seen']);
    const { body } = await t.call('GET', `/v1/payments/${it.id}`);
    expect(body).toMatchObject({ status: 'paid', received: { amount: '40.00' }, charged_back: { amount: '40.00' } });
    const { body: told } = await t.call('GET', '/v1/events', {
      query: { type: 'payment.charged_back', limit: '1000' },
    });
    expect(told.events.filter((each: { object_id: string }) => each.object_id === it.id)).toHaveLength(1);
    await booksAgree(t, ['entries']);
  });

  test('is debited once where the process dies when its payment arrives', async () => {
    for (const [when, fate] of [
      ['before', 'matched'],
      ['in', 'matched'],
      ['after', 'already_seen'],
    ] as const) {
      const it = await card();
      expect(await it.back(`dying-${when}`)).toBe('charge_back_pending');
      const dying = vi.spyOn(t.house, 'point').mockImplementation((label) => {
        if (label === `payment:${when}-receive`) throw new Error('killed');
      });
      expect(await it.paid(`paid-${when}`)).toBe(500);
      dying.mockRestore();
      expect([await it.paid(`paid-${when}`), await it.balance()], when).toEqual([fate, '0.00']);
    }
    await booksAgree(t, ['entries']);
  });

  test('and payments in any order, each twice, end with the same balance', async () => {
    const orders = fc.sample(fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 }), {
      seed: 31,
      numRuns: 12,
    });
    for (const [run, order] of orders.entries()) {
      const it = await card();
      const steps = [
        () => it.paid(`r${run}-p1`, '10.00'),
        () => it.paid(`r${run}-p2`, '30.00'),
        () => it.back(`r${run}-b1`, '30.00'),
        () => it.back(`r${run}-b2`, '5.00'),
      ];
      for (const each of order) await steps[each % 4]!();
      expect(await it.balance(), order.join()).toBe('5.00');
    }
    await booksAgree(t, ['entries']);
  });

  test('that an earlier release kept without its amount is matched when the provider sends it again', async () => {
    const it = await card();
    expect(await it.back('kept')).toBe('charge_back_pending');
    await owner.transaction(everyTenant, (tx) =>
      tx.run(
        sql`update payment set fate = 'wrong_amount', amount = null, is_charge_back = null where event_id = 'kept'`,
      ),
    );
    expect(await it.paid('kept-paid')).toBe('matched');
    expect(await it.balance()).toBe('40.00');
    expect([await it.back('kept'), await it.back('kept')]).toEqual(['charged_back', 'already_seen']);
    expect(await it.balance()).toBe('0.00');
    await booksAgree(t, ['entries']);
  });

  test('and a bank line without their other half are named by verify after an hour, until accepted', async () => {
    const it = await card();
    expect(await it.back('alone', '12.00')).toBe('charge_back_pending');
    expect(await notice('nobodys', 'charged_back', 'RF00NOBODY', '1.00')).toBe('unknown_reference');
    const deposit = await expectMoney({ customer_id: customer, amount: '50.00' });
    const lines = `date,amount,reference\n2026-11-16,"1,234",${deposit.reference}`;
    expect(await importCsv(lines)).toEqual(['wrong_amount']);
    await booksAgree(t, ['entries']);
    t.moveClock('+2h');
    const { differences } = await verifyAndTell(t.house);
    const found = differences.map(({ rule, detail }) => [rule, detail]);
    expect(found).toContainEqual(['charge_back_unmatched', expect.stringContaining('event alone')]);
    expect(found).toContainEqual(['charge_back_unmatched', expect.stringContaining('event nobodys')]);
    expect(found).toContainEqual(['bank_line_uncredited', expect.stringContaining(deposit.payment_id)]);
    for (const each of differences)
      await mend(t.house, cliActor('1'), {
        key: differenceKey(each),
        reason: 'looked at',
        isDryRun: false,
      });
    expect(await unmatched()).toEqual([]);
    expect([await it.paid('alone-paid', '12.00'), await it.balance()], 'accepted').toEqual(['underpaid', '12.00']);
    await booksAgree(t);
  });
});
