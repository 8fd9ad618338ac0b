import { createHash } from 'node:crypto';
import { allTenants, type Database, openDatabase, sql } from '@namehold/postgres';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeCustomer } from '../../../../test/support/parties.ts';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { countRows } from '../../../../test/support/rows.ts';
import { type Called, startTestService, type TestService } from '../../../../test/support/service.ts';
import { cliActor } from '../../src/cli/command.ts';
import { paymentLimits } from '../../src/core/payments/payment.ts';
import { groupedReference } from '../../src/core/payments/reference.ts';
import type { PaymentProvider } from '../../src/core/ports/payment-provider.ts';
import { differenceKey } from '../../src/core/reconciliation/difference.ts';
import { reconcile } from '../../src/core/reconciliation/reconcile.ts';
import { repairDifference } from '../../src/core/reconciliation/repair.ts';
import { verifyAndReport } from '../../src/core/reconciliation/report.ts';
import { sign, testCard } from './test-card.ts';

const secret = 'a secret of the card provider';
let t: TestService;
let customer: string;
/** Bypasses triggers and grants. */
let owner: Database;

beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  customer = await makeCustomer(t);
  owner = openDatabase({ url: t.databaseUrl, maxConnections: 1 });
  (t.ctx.providers as Map<string, PaymentProvider>).set(testCard.name, testCard);
  ok(await t.call('PUT', '/v1/account/payment_providers/bank_transfer', { json: { details: 'Bank 1, 4711' } }));
  ok(await t.call('PUT', '/v1/account/payment_providers/test_card', { json: { details: 'cards', secret } }));
});
afterAll(async () => {
  await expectReconciled(t);
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

describe('bank statement lines', () => {
  /** A payment of 1,000.00 that is paid in parts; `file` imports lines with its reference in place of REF, first as a dry run. */
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
      const { differences } = await reconcile(t.ctx, ['entries']);
      expect(differences.filter(({ rule }) => rule !== 'bank_line_uncredited')).toEqual([]);
      return fates;
    };
    return { id, reference: made.reference as string, file, sum: () => received(id) };
  }
  type Parts = Awaited<ReturnType<typeof parts>>;
  const [seen, part] = ['already_seen', 'underpaid'];

  test('match a credited line whose reference is in lower case or in groups, if they have no id', async () => {
    const { reference, file, sum } = await parts();
    const head = 'date,amount,reference,payer';
    expect(await file(head, '2026-11-16,10.00,Invoice REF,Ani')).toEqual([part]);
    for (const written of [reference.toLowerCase(), groupedReference(reference).toLowerCase(), reference])
      expect(await file(head, `2026-11-16,10.00,Invoice ${written},Ani`)).toEqual([seen]);
    expect(await sum()).toBe('10.00');
  });

  test('match a credited line in another date format or with invisible characters', async () => {
    const { file, sum } = await parts();
    const head = 'date,amount,reference,payer';
    expect(await file(head, '2026-11-18,10.00,Invoice REF,Ani Lee')).toEqual([part]);
    for (const date of [
      '2026-11-18+00:00',
      '2026-11-18Z',
      '2026-11-18T00:00:00+07:00',
      '20261118T000000Z',
      '20261118',
      '18.11.2026.',
      'Wed 18 Nov 2026',
      '"Wednesday, November 18, 2026"',
      '11/18/2026 12:00:00 AM',
      '2026\u200b-11-18',
      '２０２６-11-18',
      '٢٠٢٦-١١-١٨',
      '१८.११.२०२६',
      '\u{1d7da}026-11-18',
      '2026\u201111\u201118',
      '2026–11—18',
      '2026\u221211\ufe6318',
      '2026\u2e3a11\u2e1718',
      '18\u221511\u20442026',
      '\u28002026-11-18\u2800',
      '18\u2800Nov\u{1d159}2026',
    ])
      expect(await file(head, `${date},10.00,Invoice REF,Ani Lee`), date).toEqual([seen]);
    for (const [reference, payer] of [
      ['\u200bInvoice REF', 'Ani Lee'],
      ['Invoice  REF\u200e', 'Ani\u00a0Lee'],
      ['Invoice\u00ad REF', '\u202eAni Lee\u202c'],
      ['\ufeffInvoice REF', 'Ani \u200bLee\ufe0f'],
      ['Ｉｎｖｏｉｃｅ REF', 'Ani\u2060 Lee'],
      ['Invoice\u2800REF', '\u2800Ani Lee\u3164'],
      ['Invoice REF', 'Ani\u{13441}Lee\u{16fe4}'],
    ])
      expect(await file(head, `2026-11-18,10.00,${reference},${payer}`), payer).toEqual([seen]);
    expect(await file('date\u200b,amount,reference,payer\u200b', '2026-11-18,10.00,Invoice REF,Ani Lee')).toEqual([
      seen,
    ]);
    for (const amount of ['１０.00\u200b', '١٠.٠٠', '١٠٫٠٠', '\u280010.00'])
      expect(await file(head, `2026-11-18,${amount},Invoice REF,Ani Lee`), amount).toEqual([seen]);
    expect(await sum()).toBe('10.00');
  });

  test('match a credited line whose cells have other digits, dashes or blanks', async () => {
    const { reference, file, sum } = await parts();
    const head = 'date,amount,reference,invoice';
    expect(await file(head, '2026-11-18,10.00,REF,INV-2026-7')).toEqual([part]);
    for (const invoice of ['INV\u20112026–7', 'INV-٢٠٢٦-٧', 'INV-2026-7\u2800'])
      expect(await file(head, `2026-11-18,10.00,REF,${invoice}`), invoice).toEqual([seen]);
    const arabic = reference.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)));
    expect(await file(head, `2026-11-18,10.00,${arabic},INV-2026-7`)).toEqual([seen]);
    expect(await sum()).toBe('10.00');
  });

  test.each(['45000', '46344.4375', '٤٥٠٠٠'])(
    'with the serial number %s of a spreadsheet for a date refuse the file',
    async (date) => {
      const { reference, sum } = await parts();
      for (const dry_run of [true, false]) {
        const csv = `date,amount,reference\n2026-11-18,10.00,${reference}\n${date},11.00,${reference}`;
        const { status, body } = await t.call('POST', '/v1/payments/import', { json: { csv, dry_run } });
        expect([status, body.code, body.errors]).toEqual([
          400,
          'invalid_argument',
          [{ field: 'csv', code: 'serial_date', message: expect.stringContaining('Line 3') }],
        ]);
      }
      expect(await sum()).toBe('0.00');
    },
  );

  test('match a credited entry by id in any spelling, also one confirmed manually', async () => {
    const { id, file, sum } = await parts();
    const head = 'id,amount,reference';
    expect(await file(head, 'BANK 77,10.00,REF')).toEqual([part]);
    expect(await file(head, 'BANK\u200b \u00a077,10.00,REF')).toEqual([seen]);
    const again = await confirm(id, { amount: '10.00', entry_id: '\u200bBANK  77' });
    expect([again.status, await sum()]).toEqual([200, '10.00']);
  });

  test('credit another payment for the same amount, day and reference at another time or by another payer', async () => {
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
  ])('match a credited line in another spelling: %s', async (_what, ...again) => {
    const { file, sum } = await parts();
    const head = 'date,amount,currency,reference,payer';
    expect(await file(head, '2026-11-16,10.00,USD,REF,Ani')).toEqual([part]);
    for (const line of again) expect(await file(head, line), line).toEqual([seen]);
    expect(await sum()).toBe('10.00');
  });

  test('match a credited line by all columns that both formats have', async () => {
    const { file, sum, reference } = await parts();
    expect(await file('date,amount,currency,reference', '2026-11-16,10.00,USD,REF')).toEqual([part]);
    expect(await file('date,amount,reference', '2026-11-16,10,REF')).toEqual([seen]);
    expect(await file('amount;date;reference', '10,00;16/11/2026;REF')).toEqual([seen]);
    expect(await file('date,amount,reference', `2026-11-16,10,${groupedReference(reference)}`)).toEqual([seen]);
    // With a payer and an id it is still that entry, and is recognised by them from then on.
    const wide = 'id,date,amount,reference,payer';
    expect(await file(wide, 'B-1,2026-11-16,10.00,REF,Ani')).toEqual([seen]);
    expect(await file(wide, 'B-2,2026-11-16,10.00,REF,Ani')).toEqual([part]);
    expect(await file('date,amount,reference,payer', '2026-11-16,10.00,REF,Budi')).toEqual([part]);
    expect(await file('date,amount,reference', ...Array(3).fill('2026-11-16,10.00,REF'))).toEqual([seen, seen, seen]);
    expect(await sum()).toBe('30.00');
  });

  test('match a credited line whose running balance uses other separators', async () => {
    const { file, sum } = await parts();
    expect(await file('date,amount,reference,balance', '2026-11-16,10.00,REF,"1,010.50"')).toEqual([part]);
    expect(await file('date;amount;reference;balance', '16.11.2026;10,00;REF;1.010,50')).toEqual([seen]);
    expect(await file('date;amount;reference;balance', '16.11.2026;10,00;REF;1.020,50')).toEqual([part]);
    expect(await sum()).toBe('20.00');
  });

  test('match either reading of an ambiguous date, but no other day of the same format', async () => {
    const { file, sum } = await parts();
    expect(await file('date,amount,reference', '03/04/2026,10.00,REF')).toEqual([part]);
    expect(await file('date,amount,reference', '2026-04-03,10.00,REF', '25/04/2026,11.00,REF')).toEqual([seen, part]);
    expect(await file('date,amount,reference', '04/03/2026,10.00,REF')).toEqual([part]);
    expect(await sum()).toBe('31.00');
  });

  test('credit a repeated line as often as in the file that contains it most often', async () => {
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

  test('are credited once when the same file is imported many times concurrently', async () => {
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

  test('match a line credited by an earlier release by amount, reference and day', async () => {
    const { id, file, sum } = await parts();
    const old = async (raw: string, date: string | null) => {
      const event = `line_${createHash('sha256').update(raw).digest('hex')}`;
      ok(await confirm(id, { amount: '10.00', entry_id: event }));
      await owner.transaction(allTenants, (tx) =>
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

  test('are counted once together with a manual confirmation that has the same entry id, in either order', async () => {
    const { id, file, sum } = await parts();
    expect(await file('date,amount,reference', '2026-11-16,10.00,REF')).toEqual([part]);
    expect(await file('id,date,amount,reference', 'H-1,2026-11-16,10.00,REF')).toEqual([seen]);
    ok(await confirm(id, { amount: '10.00', entry_id: 'H-1' }));
    ok(await confirm(id, { amount: '10.00', entry_id: 'H-2' }));
    expect(await file('id,date,amount,reference', 'H-2,2026-11-16,10.00,REF')).toEqual([seen]);
    expect(await sum()).toBe('20.00');
  });

  describe('for a manually confirmed payment', () => {
    const head = 'date,amount,reference,payer';
    const taken = 'already_confirmed';
    /** By the clock of the service. */
    const day = (offset: number) =>
      new Date(t.ctx.clock.now().getTime() + offset * 86_400_000).toISOString().slice(0, 10);

    test('match each confirmation once, and further lines are credited', async () => {
      const { id, file, sum } = await parts();
      ok(await confirm(id, { amount: '10.00' }));
      ok(await confirm(id, { amount: '10.00' }));
      ok(await confirm(id, { amount: '11.00' }));
      const line = `${day(-1)},10.00,REF,Ani`;
      expect(await file(head, line, line, line)).toEqual([taken, taken, part]);
      expect(await file(head, line, line, line)).toEqual([seen, seen, seen]);
      expect(await file('date,amount,reference', `${day(-1)},10.00,REF`), 'another format').toEqual([seen]);
      expect(await sum()).toBe('41.00');
    });

    test('match a confirmation of the full amount, and the next payment is credited', async () => {
      const { id, file, sum } = await parts();
      ok(await confirm(id, {}));
      expect(await file(head, `${day(0)},1000.00,REF,Ani`)).toEqual([taken]);
      expect(await sum()).toBe('1000.00');
      expect(await file(head, `${day(0)},1000.00,REF,Budi`), 'no confirmation is left for it').toEqual(['late']);
      expect(await sum()).toBe('2000.00');
    });

    test('match a confirmation with an entry id if the file has no ids', async () => {
      const { id, file, sum } = await parts();
      ok(await confirm(id, { amount: '10.00', entry_id: `${id}-1` }));
      expect(await file(`${head},id`, `${day(0)},10.00,REF,Ani,${id}-2`), 'another id').toEqual([part]);
      expect(await file('date,amount,reference', `${day(0)},10.00,REF`, `${day(0)},10.00,REF`)).toEqual([seen, taken]);
      expect(await sum()).toBe('20.00');
    });

    test('are credited if dated long after the confirmation, or if the amount differs', async () => {
      const { id, file, sum } = await parts();
      ok(await confirm(id, { amount: '10.00' }));
      expect(await file(head, `${day(28)},10.00,REF,Ani`, `${day(-3)},10.01,REF,Ani`)).toEqual([part, part]);
      expect(await file('amount,reference', '10.00,REF'), 'without a date').toEqual([seen]);
      expect(await sum()).toBe('30.01');
    });

    test('match the confirmation once when the same file is imported many times concurrently', async () => {
      const { id, reference, sum } = await parts();
      ok(await confirm(id, { amount: '10.00' }));
      const csv = `${head}\n${day(0)},10.00,${reference},Ani`;
      const all = await Promise.all(Array.from({ length: 6 }, () => importCsv(csv)));
      expect(all.flat().sort()).toEqual([...Array(1).fill(taken), ...Array(5).fill(seen)].sort());
      expect(await sum()).toBe('10.00');
    });

    test('cause a confirmation without an id to be refused if a line was credited for the payment', async () => {
      const { id, file, sum } = await parts();
      expect(await file(head, `${day(0)},10.00,REF,Ani`)).toEqual([part]);
      const again = await confirm(id, { amount: '10.00' });
      expect([again.status, again.body.detail ?? again.text]).toEqual([409, expect.stringContaining('entry_id')]);
      ok(await confirm(id, { amount: '11.00' }));
      ok(await confirm(id, { amount: '10.00', entry_id: `${id}-other` }));
      expect(await sum()).toBe('31.00');
    });
  });

  describe('that could not be credited', () => {
    const open = async (id: string) => {
      t.moveClock('+2h');
      const { differences } = await reconcile(t.ctx, ['entries']);
      return differences.filter(({ rule, detail }) => rule === 'bank_line_uncredited' && detail.includes(id)).length;
    };
    const head = 'date,amount,reference,payer';
    const unreadable = '2026-11-16,"1.23?",REF,Ani';

    test.each([
      ['a confirmation by hand', async ({ id }: Parts) => void ok(await confirm(id, { amount: '1.23' }))],
      [
        'a confirmation by hand with an id',
        async ({ id }: Parts) => void ok(await confirm(id, { amount: '1.23', entry_id: `${id}-1` })),
      ],
      [
        'a corrected line with the same columns',
        async ({ file }: Parts) => expect(await file(head, '2026-11-16,1.23,REF,Ani')).toEqual([part]),
      ],
      [
        'a corrected line with other columns',
        async ({ file }: Parts) =>
          expect(await file('date,amount,currency,reference', '16/11/2026,1.23,USD,REF')).toEqual([part]),
      ],
      [
        'a corrected line with an id',
        async ({ id, file }: Parts) =>
          expect(await file(`id,${head}`, `${id}-1,2026-11-16,1.23,REF,Ani`)).toEqual([part]),
      ],
    ])('are no difference any more after %s', async (_way, settle) => {
      const it = await parts();
      expect(await it.file(head, unreadable)).toEqual(['wrong_amount']);
      expect(await open(it.id)).toBe(1);
      await settle(it);
      expect(await open(it.id)).toBe(0);
    });

    test('are settled by a corrected line after a wrong currency or a reused id', async () => {
      const it = await parts();
      const wide = 'id,date,amount,currency,reference';
      expect(await it.file(wide, `${it.id}-1,2026-11-16,5.00,USD,REF`)).toEqual([part]);
      expect(await it.file(wide, `${it.id}-1,2026-11-17,6.00,USD,REF`)).toEqual(['id_reused']);
      expect(await it.file(wide, `${it.id}-3,2026-11-18,7.00,EUR,REF`)).toEqual(['wrong_currency']);
      expect(await open(it.id)).toBe(2);
      expect(await it.file(wide, `${it.id}-2,2026-11-17,6.00,USD,REF`)).toEqual([part]);
      expect(await open(it.id)).toBe(1);
      expect(await it.file(wide, `${it.id}-3,2026-11-18,7.00,USD,REF`)).toEqual([part]);
      expect(await open(it.id)).toBe(0);
      expect(await it.sum()).toBe('18.00');
    });

    test('stay a difference after unrelated credits, because each credit settles one line', async () => {
      const it = await parts();
      const lines = [unreadable, '2026-11-17,"2.34?",REF,Ani'];
      expect(await it.file(head, ...lines)).toEqual(['wrong_amount', 'wrong_amount']);
      expect(await it.file(head, '2026-11-18,3.00,REF,Ani'), 'another day').toEqual([part]);
      expect(await open(it.id)).toBe(2);
      ok(await confirm(it.id, { amount: '1.23' }));
      expect(await open(it.id)).toBe(1);
      expect(await it.file(head, '2026-11-17,2.34,REF,Ani')).toEqual([part]);
      expect(await open(it.id)).toBe(0);
      expect(await it.file(head, ...lines), 'imported again').toEqual(['wrong_amount', 'wrong_amount']);
      expect(await open(it.id)).toBe(0);
    });

    test.each(['0.00', '"1,234"'])(
      'keeps lines of %s as a difference after another line of the same day',
      async (amount) => {
        const it = await parts();
        const short = 'date,amount,reference';
        expect(await it.file(short, `2026-11-16,${amount},REF`)).toEqual(['wrong_amount']);
        expect(await it.file(short, '2026-11-16,10.00,REF')).toEqual([part]);
        expect(await open(it.id)).toBe(1);
        if (amount !== '0.00') expect(await it.file(short, '2026-11-16,1234.00,REF')).toEqual(['overpaid']);
        else ok(await confirm(it.id, { amount: '5.00' }));
        expect(await open(it.id)).toBe(0);
      },
    );

    describe.each([
      ['an unreadable amount', '"12.34?",USD', 'wrong_amount'],
      ['another currency', '500.00,EUR', 'wrong_currency'],
    ])('because of %s', (_why, money, fate) => {
      const columns = 'date,amount,currency,reference,payer';
      const [bad, good] = [`2026-11-16,${money},REF,Ani`, '2026-11-16,10.00,USD,REF,Ani'];

      test.each([
        ['before', [bad, good], [fate, part], [fate, seen]],
        ['after', [good, bad], [part, fate], [seen, fate]],
      ])('stay a difference when imported %s a credited line of the same file', async (_order, lines, first, again) => {
        const it = await parts();
        expect(await it.file(columns, ...lines)).toEqual(first);
        expect(await open(it.id)).toBe(1);
        expect(await it.file(columns, ...lines), 'the same file').toEqual(again);
        expect(await it.file(columns, good), 'its credited line alone').toEqual([seen]);
        expect(await it.file('date,amount,reference', '2026-11-16,10.00,REF'), 'with other columns').toEqual([seen]);
        expect(await open(it.id)).toBe(1);
        const other = '2026-11-16,11.00,USD,REF,Ani';
        expect(await it.file(columns, ...lines, other), 'another line beside it').toEqual([...again, part]);
        expect(await open(it.id)).toBe(1);
        expect(await it.file(columns, '2026-11-16,12.34,USD,REF,Ani', good), 'corrected').toEqual([part, seen]);
        expect(await open(it.id)).toBe(0);
        expect(await it.sum()).toBe('33.34');
      });

      test('stay a difference when a later transaction of the import credits another line', async () => {
        const it = await parts();
        const days = Array.from({ length: 30 }, (_, n) => `2026-10-${10 + (n % 20)},1.00,USD,REF,Payer ${n}`);
        await it.file(columns, bad, ...days, good);
        expect(await open(it.id)).toBe(1);
        ok(await confirm(it.id, { amount: '12.34' }));
        expect(await open(it.id), 'confirmed by hand').toBe(0);
      });
    });

    test.each(['2026-02-31', '31.02.2026', '2026-13-01', '20260231', '30 Feb 2026'])(
      'with the impossible date %s are a difference until the date is corrected',
      async (date) => {
        const it = await parts();
        expect(await it.file(head, `${date},10.00,REF,Ani`, '2028-02-29,11.00,REF,Ani')).toEqual(['wrong_date', part]);
        expect(await it.sum()).toBe('11.00');
        expect(await open(it.id)).toBe(1);
        expect(await it.file(head, '2026-02-28,10.00,REF,Ani')).toEqual([part]);
        expect(await open(it.id)).toBe(0);
        expect(await it.sum()).toBe('21.00');
      },
    );

    test('reports lines of a deleted payer as a difference until the money is returned and the line accepted', async () => {
      const payer = await makeCustomer(t);
      const { reference, payment_id } = await expectMoney({ customer_id: payer, amount: '10.00' });
      ok(await t.call('DELETE', `/v1/customers/${payer}`));
      expect(await importCsv(`date,amount,reference\n2026-11-16,10.00,${reference}`)).toEqual(['payer_deleted']);
      expect(await open(payment_id)).toBe(1);
      const { differences } = await reconcile(t.ctx, ['entries']);
      const { repair: advice } = differences.find(({ detail }) => detail.includes(payment_id))!;
      expect(advice).toMatchObject({ action: 'accept', message: expect.stringContaining('pay it back') });
      expect(advice.message).not.toContain('by hand');
    });

    test('are reported although many older ones of the reseller are open', async () => {
      const it = await parts();
      const many = Array.from({ length: 45 }, (_, n) => `2026-10-01,"1,${100 + n}",REF,Ani`);
      expect(new Set(await it.file(head, ...many))).toEqual(new Set(['wrong_amount']));
      const newest = await parts();
      await newest.file(head, unreadable);
      expect(await open(newest.id)).toBe(1);
      const { differences } = await verifyAndReport(t.ctx, ['entries']);
      const lines = differences.filter(({ rule }) => rule === 'bank_line_uncredited');
      expect(lines.length).toBeLessThanOrEqual(40);
      expect(lines.some(({ detail }) => /; \d+ more of this reseller/.test(detail))).toBe(true);
      await owner.transaction(allTenants, (tx) =>
        tx.run(sql`update statement_line set accepted_at = now() where payment_id is null`),
      );
    });
  });

  describe('in a large file', () => {
    const head = 'date,amount,reference,payer';
    /** Lines for several payments, mixed, some of them equal. */
    async function many(count: number) {
      const all = await Promise.all(Array.from({ length: 5 }, () => parts()));
      const lines = Array.from(
        { length: count },
        (_, n) => `2026-11-${10 + (n % 15)},1.00,${all[n % 5]!.reference},Payer ${n % 3}`,
      );
      const sum = async () => {
        let total = 0;
        for (const each of all) total += Number(await each.sum());
        return total;
      };
      return { all, csv: [head, ...lines].join('\n'), sum };
    }

    test('are credited several per transaction, and each once', async () => {
      const { csv, sum } = await many(120);
      let transactions = 0;
      const counting = vi.spyOn(t.ctx, 'failpoint').mockImplementation((label) => {
        if (label === 'payment:in-receive') transactions += 1;
      });
      expect(new Set(await importCsv(csv, true))).toEqual(new Set([part]));
      const all = await Promise.all([importCsv(csv), importCsv(csv), importCsv(csv.replace('payer', 'PAYER'))]);
      counting.mockRestore();
      expect(all.flat().filter((fate) => fate !== seen)).toHaveLength(120);
      expect(await sum()).toBe(120);
      expect(transactions).toBeLessThanOrEqual((3 * 120) / paymentLimits.linesPerTransaction + 3);
      await expectReconciled(t, ['entries']);
    });

    test('are left for the next import when time runs out, and none is lost when the process is killed', async () => {
      const { csv, sum } = await many(60);
      const { importMs } = paymentLimits;
      paymentLimits.importMs = 0;
      try {
        const dry = await importCsv(csv, true);
        expect(dry.filter((fate) => fate === part)).toHaveLength(60);
        const first = await importCsv(csv);
        expect(first.filter((fate) => fate === 'not_processed')).toHaveLength(60 - paymentLimits.linesPerTransaction);
        expect(await sum()).toBe(paymentLimits.linesPerTransaction);
      } finally {
        paymentLimits.importMs = importMs;
      }
      const dying = vi.spyOn(t.ctx, 'failpoint').mockImplementation((label) => {
        if (label === 'payment:in-receive') throw new Error('killed');
      });
      expect((await t.call('POST', '/v1/payments/import', { json: { csv } })).status).toBe(500);
      dying.mockRestore();
      expect((await importCsv(csv)).filter((fate) => fate === part)).toHaveLength(
        60 - paymentLimits.linesPerTransaction,
      );
      expect(await sum()).toBe(60);
      await expectReconciled(t, ['entries']);
    });

    test('are credited in file order when the money pays bills', async () => {
      const { reference, payment_id } = await expectMoney({ customer_id: customer, amount: '3.00' });
      const lines = ['1.00', '1.00', '2.00', '1.00'].map((amount, n) => `2026-11-0${n + 1},${amount},${reference},A`);
      expect(await importCsv([head, ...lines].join('\n'))).toEqual([part, part, 'overpaid', 'late']);
      expect(await received(payment_id)).toBe('5.00');
    });
  });

  test('are stored without the payer text', async () => {
    const { file } = await parts();
    await file('date,amount,reference,payer', '2026-11-16,10.00,REF,Very Secret Payer');
    const rows = await t.ctx.db.as(allTenants).many(sql`select * from statement_line`);
    expect(JSON.stringify(rows)).not.toContain('Secret');
    expect(await countRows(t, 'statement_line', sql`true`)).toBeGreaterThan(0);
  });
});

describe('charge-back', () => {
  const notice = async (id: string, type: string, reference: string, amount: string, currency = 'USD') => {
    const body = JSON.stringify({ id, type, reference, amount, currency });
    const headers = { 'Content-Type': 'application/json', 'X-Card-Signature': sign(secret, body) };
    const answer = await fetch(`${t.url}/payments/test_card/1000`, { method: 'POST', headers, body });
    return ((await answer.json()) as { events: { fate: string }[] }).events?.[0]?.fate ?? answer.status;
  };
  const balance = async (of: string) =>
    (await t.call('GET', `/v1/customers/${of}/funds`)).body.balance.amount as string;
  /** A payment of a separate customer. */
  async function card(provider = 'test_card', amount = '40.00') {
    const payer = await makeCustomer(t);
    const made = await expectMoney({ customer_id: payer, amount, provider });
    const reference = made.reference as string;
    return {
      id: made.payment_id as string,
      payer,
      reference,
      paid: (id: string, of = amount) => notice(id, 'paid', reference, of),
      back: (id: string, of = amount) => notice(id, 'charged_back', reference, of),
      balance: () => balance(payer),
    };
  }
  const unmatched = async () =>
    (await reconcile(t.ctx, ['entries'])).differences.filter(({ rule }) => rule === 'charge_back_unmatched');

  test('debits at most what its provider paid, also for a payment with the reference of another provider', async () => {
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
    await expectReconciled(t, ['entries']);
  });

  test('is pending when it arrives before its payment, and is debited once when the payment arrives', async () => {
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
    const { body: listed } = await t.call('GET', '/v1/events', {
      query: { type: 'payment.charged_back', limit: '1000' },
    });
    expect(listed.events.filter((each: { object_id: string }) => each.object_id === it.id)).toHaveLength(1);
    await expectReconciled(t, ['entries']);
  });

  test('is debited once if the process is killed when its payment arrives', async () => {
    for (const [when, fate] of [
      ['before', 'matched'],
      ['in', 'matched'],
      ['after', 'already_seen'],
    ] as const) {
      const it = await card();
      expect(await it.back(`dying-${when}`)).toBe('charge_back_pending');
      const dying = vi.spyOn(t.ctx, 'failpoint').mockImplementation((label) => {
        if (label === `payment:${when}-receive`) throw new Error('killed');
      });
      expect(await it.paid(`paid-${when}`)).toBe(500);
      dying.mockRestore();
      expect([await it.paid(`paid-${when}`), await it.balance()], when).toEqual([fate, '0.00']);
    }
    await expectReconciled(t, ['entries']);
  });

  test('counts a charge-back and a payment confirmed manually before the notice once', async () => {
    const it = await card();
    ok(await confirm(it.id, {}));
    expect([await it.paid('hand-1'), await it.paid('hand-1')]).toEqual(['already_confirmed', 'already_seen']);
    expect(await it.balance()).toBe('40.00');
    expect(await it.paid('hand-2'), 'no confirmation is left for it').toBe('late');
    expect([await it.back('hand-back'), await it.balance()]).toEqual(['charged_back', '40.00']);
    await expectReconciled(t, ['entries']);
  });

  test('ends with the same balance for payments and charge-backs in any order, each sent twice', async () => {
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
    await expectReconciled(t, ['entries']);
  });

  test('stored without its amount by an earlier release is matched when the provider sends it again', async () => {
    const it = await card();
    expect(await it.back('kept')).toBe('charge_back_pending');
    await owner.transaction(allTenants, (tx) =>
      tx.run(
        sql`update payment set fate = 'wrong_amount', amount = null, is_charge_back = null where event_id = 'kept'`,
      ),
    );
    expect(await it.paid('kept-paid')).toBe('matched');
    expect(await it.balance()).toBe('40.00');
    expect([await it.back('kept'), await it.back('kept')]).toEqual(['charged_back', 'already_seen']);
    expect(await it.balance()).toBe('0.00');
    await expectReconciled(t, ['entries']);
  });

  test('reports a charge-back of a payment that cannot be credited after an hour until accepted', async () => {
    const [euros, odd, gone] = [await card(), await card(), await card()];
    expect(await notice('in-euros', 'paid', euros.reference, '40.00', 'EUR')).toBe('wrong_currency');
    expect(await odd.paid('odd-amount', '40,0x')).toBe('wrong_amount');
    expect(await notice('for-nobody', 'paid', 'RF00NOBODY', '1.00')).toBe('unknown_reference');
    ok(await t.call('DELETE', `/v1/customers/${gone.payer}`));
    expect(await gone.paid('payer-gone')).toBe('payer_deleted');
    expect(await gone.paid('payer-gone')).toBe('already_seen');
    await expectReconciled(t, ['entries']);
    t.moveClock('+2h');
    const { differences } = await verifyAndReport(t.ctx, ['entries']);
    const found = differences.filter(({ rule }) => rule === 'payment_uncredited');
    for (const [id, fate] of [
      ['in-euros', 'wrong_currency'],
      ['odd-amount', 'wrong_amount'],
      ['for-nobody', 'unknown_reference'],
      ['payer-gone', 'payer_deleted'],
    ] as const)
      expect(
        found.filter(({ detail }) => detail.includes(id) && detail.includes(fate)),
        id,
      ).toHaveLength(1);
    expect(found.find(({ detail }) => detail.includes('payer-gone'))).toMatchObject({
      amount: '40.00',
      currency: 'USD',
    });
    for (const each of differences) {
      expect(each.repair.action, each.detail).toBe('accept');
      const repair = { key: differenceKey(each), reason: 'looked up at the provider', isDryRun: false };
      await repairDifference(t.ctx, cliActor('1'), repair);
    }
    await expectReconciled(t, ['entries']);
  });

  test('reports a charge-back without a counterpart after an hour until accepted, like a bank line', async () => {
    const it = await card();
    expect(await it.back('alone', '12.00')).toBe('charge_back_pending');
    expect(await notice('nobodys', 'charged_back', 'RF00NOBODY', '1.00')).toBe('unknown_reference');
    const deposit = await expectMoney({ customer_id: customer, amount: '50.00' });
    const lines = `date,amount,reference\n2026-11-16,"1,234",${deposit.reference}`;
    expect(await importCsv(lines)).toEqual(['wrong_amount']);
    await expectReconciled(t, ['entries']);
    t.moveClock('+2h');
    const { differences } = await verifyAndReport(t.ctx);
    const found = differences.map(({ rule, detail }) => [rule, detail]);
    expect(found).toContainEqual(['charge_back_unmatched', expect.stringContaining('event alone')]);
    expect(found).toContainEqual(['charge_back_unmatched', expect.stringContaining('event nobodys')]);
    expect(found).toContainEqual(['bank_line_uncredited', expect.stringContaining(deposit.payment_id)]);
    for (const each of differences)
      await repairDifference(t.ctx, cliActor('1'), {
        key: differenceKey(each),
        reason: 'looked at',
        isDryRun: false,
      });
    expect(await unmatched()).toEqual([]);
    expect([await it.paid('alone-paid', '12.00'), await it.balance()], 'accepted').toEqual(['underpaid', '12.00']);
    await expectReconciled(t);
  });
});

test('refuses a provider secret that is too short and names the minimum length', async () => {
  const json = { details: 'cards', secret: 'short' };
  const { status, body } = await t.call('PUT', '/v1/account/payment_providers/test_card', { json });
  expect([status, body.errors[0]]).toEqual([
    400,
    { field: 'secret', code: 'too_short', message: 'Must have at least 16 characters.' },
  ]);
});
