import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { verifyBooks } from '../../src/core/books/verify.ts';
import { createLogger } from '../../src/logger.ts';
import { openParts, type Parts } from '../../src/parts.ts';
import { injections } from './injections.ts';
import { ordinaryUse } from './ordinary.ts';
import { Spoiler } from './spoil.ts';

let t: TestService;
/** The same house without its clockwork, which would go on working while somebody changes rows under it. */
let parts: Parts;
let here: Spoiler;
let there: Spoiler;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  await ordinaryUse(t);
  await t.service.stop();
  parts = await openParts(t.house.config, createLogger('silent'));
  const ours = [
    ...['ledger_account', 'ledger_transaction', 'ledger_entry', 'operation', 'registry_command', 'domain'],
    ...[
      'waiting_order',
      'invoice',
      'invoice_series',
      'invoice_charge',
      'invoice_months',
      'payment',
      'expected_payment',
    ],
  ];
  here = await Spoiler.open(t.databaseUrl, ours);
  there = await Spoiler.open(t.house.config.sandboxDatabaseUrl!, ['statement', 'domain']);
});
afterAll(async () => {
  await here.close();
  await there.close();
  await parts.close();
  await t.stop();
});

test('after ordinary use the five books agree', async () => {
  const report = await verifyBooks(parts.house);
  expect(report.differences).toEqual([]);
  expect(report).toMatchObject({
    found: 0,
    skipped: [],
    compared: ['entries', 'operations', 'domains', 'registry', 'invoices'],
  });
  expect(report.counts.domains).toBeGreaterThanOrEqual(8);
});

describe('what somebody changes by hand is found, and nothing else', () => {
  test.each(injections)('$what', async ({ here: ours, there: theirs, found, name, says }) => {
    if (ours) await here.change(...ours);
    if (theirs) await there.change(...theirs);
    try {
      const { differences } = await verifyBooks(parts.house);
      const rules = [...new Set(differences.map((each) => `${each.book}:${each.rule}`))];
      expect(rules.sort(), JSON.stringify(differences, null, 1)).toEqual([...found].sort());
      for (const each of differences) {
        if (name !== undefined) expect(each.name).toBe(name);
        if (says !== undefined) expect(each.detail).toMatch(says);
        expect(each.mend.words).not.toBe('');
      }
    } finally {
      if (ours) await here.putBack();
      if (theirs) await there.putBack();
    }
  });

  test('and with everything put back they agree again', async () => {
    expect((await verifyBooks(parts.house)).differences).toEqual([]);
  });
});
