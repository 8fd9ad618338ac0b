import { money } from '@namehold/base';
import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { balance } from '../../src/core/ledger/balance.ts';
import { capture } from '../../src/core/ledger/capture.ts';
import { hold } from '../../src/core/ledger/hold.ts';
import type { PurchaseLevel } from '../../src/core/ledger/ledger.ts';
import { refund } from '../../src/core/ledger/refund.ts';
import { release } from '../../src/core/ledger/release.ts';
import { type TestContext, testContext } from './context.ts';

let t: TestContext;
let top: string;
let child: string;
beforeAll(async () => {
  t = await testContext();
  await t.reseller(null);
  top = await t.reseller('1');
  child = await t.reseller(top);
  await t.fund(top, 100_00n);
  await t.fund(child, 50_00n);
});
afterAll(() => t.close());

const usd = (amount: bigint) => money(amount, 'USD');
const chain = (own: bigint, parent: bigint): PurchaseLevel[] => [
  { resellerId: child, sellerId: top, amount: usd(own) },
  { resellerId: top, sellerId: '1', amount: usd(parent) },
];
const order = (levels: PurchaseLevel[], more: object = {}) => ({
  levels,
  registryCost: money(7_00n, 'EUR'),
  action: 'create',
  years: 1,
  description: 'example.com',
  operationId: t.proven(),
  ...more,
});
const as = <T>(tenant: string, work: (tx: Parameters<Parameters<typeof t.db.transaction>[1]>[0]) => Promise<T>) =>
  t.db.transaction(tenant, work);
const figures = async (id: string) => {
  const b = await balance(t.db.as(id), id, id, 'USD');
  return { available: b.available.amount, held: b.held.amount };
};
const sumOf = async (kind: string, resellerId: string, currency = 'USD') => {
  const row = await t.db.as(allTenants).one<{ total: string }>(sql`
    select coalesce(sum(e.amount), 0) as total from ledger_entry e join ledger_account a on a.id = e.account_id
    where a.kind = ${kind} and a.reseller_id = ${resellerId} and a.currency = ${currency}`);
  return BigInt(row.total);
};

test('holds, captures and refunds a purchase at every level', async () => {
  const before = [await figures(child), await figures(top)];
  const operationId = t.proven();
  const id = await as(child, (tx) => hold(t.ctx, tx, order(chain(12_00n, 9_00n), { operationId })));
  expect(await figures(child)).toEqual({ available: before[0]!.available - 12_00n, held: 12_00n });
  expect(await figures(top)).toEqual({ available: before[1]!.available - 9_00n, held: 9_00n });
  const again = await as(child, (tx) => hold(t.ctx, tx, order(chain(12_00n, 9_00n), { operationId })));
  expect(again).toBe(id);

  const done = await as(allTenants, (tx) => capture(t.ctx, tx, { operationId }));
  expect(done).toMatchObject({ id, status: 'completed', captured: 12_00n });
  expect(await as(allTenants, (tx) => capture(t.ctx, tx, { transactionId: id }))).toMatchObject({
    status: 'completed',
  });
  await expect(as(allTenants, (tx) => release(t.ctx, tx, { transactionId: id }))).rejects.toMatchObject({
    code: 'conflict',
  });
  expect(await sumOf('revenue', top)).toBe(12_00n);
  expect(await sumOf('revenue', '1')).toBe(9_00n);
  expect(await sumOf('registry_cost', '1', 'EUR')).toBe(-7_00n);
  expect(await sumOf('registry_payable', '1', 'EUR')).toBe(7_00n);

  const back = await as(allTenants, (tx) => refund(t.ctx, tx, { transactionId: id }));
  expect(back).toMatchObject({ status: 'refunded', refunded: 12_00n });
  await as(allTenants, (tx) => refund(t.ctx, tx, { transactionId: id }));
  expect([await figures(child), await figures(top)]).toEqual(before);
  expect(await sumOf('registry_payable', '1', 'EUR')).toBe(0n);
});

test('captures a part proportionally, releases the rest, and refunds up to the given total', async () => {
  const before = [await figures(child), await figures(top)];
  const id = await as(child, (tx) => hold(t.ctx, tx, order(chain(10_00n, 3_33n))));
  await as(allTenants, (tx) =>
    capture(t.ctx, tx, { transactionId: id, amount: usd(5_00n), registryCost: money(3_00n, 'EUR') }),
  );
  expect((await figures(child)).available).toBe(before[0]!.available - 5_00n);
  // 3.33 / 2 = 1.665, half-up
  expect((await figures(top)).available).toBe(before[1]!.available - 1_67n);
  await as(allTenants, (tx) => refund(t.ctx, tx, { transactionId: id, total: usd(1_00n), registryKeepsFee: true }));
  await as(allTenants, (tx) => refund(t.ctx, tx, { transactionId: id, total: usd(1_00n) }));
  expect((await figures(child)).available).toBe(before[0]!.available - 4_00n);
  await expect(as(allTenants, (tx) => refund(t.ctx, tx, { transactionId: id, total: usd(50n) }))).rejects.toMatchObject(
    {
      code: 'conflict',
    },
  );
  await as(allTenants, (tx) => refund(t.ctx, tx, { transactionId: id }));
  expect([await figures(child), await figures(top)]).toEqual(before);
});

test('releases everything once, and prevents a later capture', async () => {
  const before = [await figures(child), await figures(top)];
  const id = await as(child, (tx) => hold(t.ctx, tx, order(chain(10_00n, 8_00n))));
  await as(allTenants, (tx) => release(t.ctx, tx, { transactionId: id }));
  await as(allTenants, (tx) => release(t.ctx, tx, { transactionId: id }));
  expect([await figures(child), await figures(top)]).toEqual(before);
  await expect(as(allTenants, (tx) => capture(t.ctx, tx, { transactionId: id }))).rejects.toMatchObject({
    code: 'conflict',
  });
  await expect(as(allTenants, (tx) => refund(t.ctx, tx, { transactionId: id }))).rejects.toMatchObject({
    code: 'conflict',
  });
});

test('names the missing amount of the own level only, without figures of a parent', async () => {
  const before = [await figures(child), await figures(top)];
  const poor = as(child, (tx) => hold(t.ctx, tx, order(chain(before[0]!.available + 3_50n, 1_00n))));
  await expect(poor).rejects.toMatchObject({
    code: 'insufficient_funds',
    details: { facts: { missing: { amount: '3.50', currency: 'USD' } } },
  });
  const parent = as(child, (tx) => hold(t.ctx, tx, order(chain(1_00n, before[1]!.available + 77n))));
  await expect(parent).rejects.toMatchObject({
    code: 'insufficient_funds',
    details: { facts: { missing: null, lacking: 'parent' } },
  });
  await expect(parent).rejects.not.toThrow(/\d/);
  expect([await figures(child), await figures(top)]).toEqual(before);
});

test("charges the operator's own purchase at cost, without a hold", async () => {
  const own = [{ resellerId: '1', sellerId: null, amount: money(7_00n, 'EUR') }];
  const before = await sumOf('registry_payable', '1', 'EUR');
  const id = await as('1', (tx) => hold(t.ctx, tx, order(own)));
  await as(allTenants, (tx) => capture(t.ctx, tx, { transactionId: id }));
  expect(await sumOf('registry_payable', '1', 'EUR')).toBe(before + 7_00n);
});

test('refuses a chain that is not the buyer’s, and another tenant’s purchase', async () => {
  const stranger = await t.reseller('1');
  await expect(as(stranger, (tx) => hold(t.ctx, tx, order(chain(1n, 1n))))).rejects.toMatchObject({ code: '42501' });
  const wrong = [{ resellerId: child, sellerId: stranger, amount: usd(1n) }];
  await expect(as(child, (tx) => hold(t.ctx, tx, order(wrong)))).rejects.toMatchObject({ code: '22000' });
  const short = chain(1n, 1n).slice(0, 1);
  await expect(as(child, (tx) => hold(t.ctx, tx, order(short)))).rejects.toMatchObject({ code: '22000' });
  const id = await as(child, (tx) => hold(t.ctx, tx, order(chain(1n, 1n))));
  // Not by its buyer either: only the second database login captures and refunds.
  for (const tenant of [stranger, child])
    await expect(as(tenant, (tx) => capture(t.ctx, tx, { transactionId: id }))).rejects.toMatchObject({
      code: '42501',
    });
  await as(allTenants, (tx) => release(t.ctx, tx, { transactionId: id }));
});

test('refuses to commit a capture without proof, whichever login requests it', async () => {
  const held = async (operationId: string | null) =>
    as(child, (tx) => hold(t.ctx, tx, order(chain(1_00n, 1_00n), { operationId })));
  const refuses = async (id: string, constraint: string) => {
    await expect(as(allTenants, (tx) => capture(t.ctx, tx, { transactionId: id }))).rejects.toMatchObject({
      constraint,
    });
    await as(allTenants, (tx) => release(t.ctx, tx, { transactionId: id }));
  };
  await refuses(await held(null), 'capture_needs_proof');
  await refuses(await held('op_nowhere'), 'capture_needs_proof');
  const set = (id: string, change: object) =>
    t.db.transaction(allTenants, (tx) => {
      const { state = 'done', proof = null, kind = 'test', decision = null } = change as Record<string, string>;
      return tx.run(sql`
        update operation set state = ${state}, proof = ${proof}, kind = ${kind}, decision = ${decision}::jsonb where id = ${id}`);
    });
  for (const change of [
    { state: 'unknown' },
    { proof: 'answered' },
    { proof: 'found' },
    { proof: 'operator' },
    { proof: 'operator', decision: '{"says":"ask_again"}' },
    { proof: 'auto_renewal', kind: 'restore' },
  ]) {
    const operationId = t.proven();
    const id = await held(operationId);
    await set(operationId, change);
    await refuses(id, 'capture_needs_proof');
  }
});

test('refuses to end an operation before its money is settled', async () => {
  const operationId = t.proven();
  const id = await as(child, (tx) => hold(t.ctx, tx, order(chain(1_00n, 1_00n), { operationId })));
  const end = (state: string, proof: string | null) =>
    t.db.transaction(allTenants, async (tx) => {
      await tx.run(sql`update operation set state = 'unknown', transaction_id = ${id} where id = ${operationId}`);
      await tx.run(sql`update operation set state = ${state}, proof = ${proof} where id = ${operationId}`);
    });
  const held = { constraint: 'operation_ends_with_money' };
  await expect(end('done', 'nothing_sent')).rejects.toMatchObject(held);
  await expect(end('refused', null)).rejects.toMatchObject(held);
  await expect(end('done', null)).rejects.toMatchObject({ constraint: 'operation_needs_proof' });
  await as(allTenants, (tx) => release(t.ctx, tx, { transactionId: id }));
  await end('refused', null);
});
