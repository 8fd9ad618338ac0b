import { sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { countRows } from '../../../../test/support/rows.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
});
afterAll(async () => {
  await expectReconciled(t);
  await t.stop();
});

const put = (json: object, as = t.demo) => t.call('PUT', '/v1/account/price_rules', { json, as });
const sellingPrices = async () => (await t.call('GET', '/v1/customers/prices')).body;
const written = async () => [
  await countRows(t, 'price_rule', sql`true`),
  await countRows(t, 'audit', sql`action = 'price_rules.set'`),
];

test('stores nothing in a dry run, and stores the same prices afterwards', async () => {
  const rows = await written();
  const now = await sellingPrices();
  const rules = [
    { kind: 'percent', percent: '50', rounding_step: '1.00', rounding_ending: '0.99' },
    { kind: 'fixed', amount: '7.00', tld: 'net' },
  ];
  const dry = await put({ audience: 'customer', rules, dry_run: true });
  expect(dry.status, dry.text).toBe(200);
  expect(dry.body.prices.before).toEqual(now);
  const { after } = dry.body.prices;
  expect(after.com.create['1']).toMatch(/\.99$/);
  const own = (await t.call('GET', '/v1/account/prices')).body;
  const cents = (text: string) => Math.round(Number(text) * 100);
  expect(cents(after.net.renew['2']) - cents(own.net.renew['2'])).toBe(1400);
  // Unchanged.
  expect(await sellingPrices()).toEqual(now);
  expect(await written()).toEqual(rows);
  const saved = await put({ audience: 'customer', rules });
  expect(saved.body.prices).toBeNull();
  expect(await sellingPrices()).toEqual(after);
});

test('refuses in a dry run what saving refuses, with the same field, for the own account only', async () => {
  const wrong = {
    audience: 'customer',
    rules: [
      { kind: 'percent', percent: '5' },
      { kind: 'percent', percent: '9' },
    ],
  };
  const [dry, real] = [await put({ ...wrong, dry_run: true }), await put(wrong)];
  expect([dry.status, dry.body.errors]).toEqual([400, real.body.errors]);
  const bad = {
    audience: 'customer',
    rules: [{ kind: 'percent', percent: '5', rounding_step: '0.00' }],
    dry_run: true,
  };
  expect((await put(bad)).body.errors[0].field).toBe('rules.0.rounding_step');
  const other = await makeReseller(t);
  const theirs = await put({ audience: 'customer', rules: [{ kind: 'percent', percent: '5' }], dry_run: true }, other);
  expect(theirs.status, theirs.text).toBe(200);
  expect(theirs.body.prices.before).not.toEqual(await sellingPrices());
});
