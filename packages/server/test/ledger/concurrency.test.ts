import { money, seededRandom } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { balance } from '../../src/core/ledger/balance.ts';
import { capture } from '../../src/core/ledger/capture.ts';
import { fundReseller } from '../../src/core/ledger/fund.ts';
import { hold } from '../../src/core/ledger/hold.ts';
import { release } from '../../src/core/ledger/release.ts';
import { actorOf, settleInParallel, type TestContext, testContext } from './context.ts';

let t: TestContext;
beforeAll(async () => {
  t = await testContext();
  await t.reseller(null);
});
afterAll(() => t.close());

const usd = (amount: bigint) => money(amount, 'USD');
const levelsOf = (child: string, parent: string, own: bigint, above: bigint) => [
  { resellerId: child, sellerId: parent, amount: usd(own) },
  { resellerId: parent, sellerId: '1', amount: usd(above) },
];
const purchase = { action: 'create', years: 1, description: 'x', registryCost: money(5_00n, 'EUR') };

test('never exceeds the balance of buyer or parent in 200 parallel purchases', async () => {
  const parent = await t.reseller('1');
  const children = [await t.reseller(parent), await t.reseller(parent), await t.reseller(parent)];
  await t.fund(parent, 60_00n);
  for (const child of children) await t.fund(child, 45_00n);
  const tries = Array.from({ length: 200 }, (_, i) => children[i % 3]!);
  const results = await settleInParallel(
    tries.map(
      (child) => () =>
        t.db.transaction(child, (tx) =>
          hold(t.ctx, tx, { ...purchase, levels: levelsOf(child, parent, 1_50n, 1_00n) }),
        ),
    ),
  );
  // Each child could pay 30 of its own, together 90; the parent covers 60.
  expect(results.filter((r) => r.status === 'fulfilled')).toHaveLength(60);
  for (const r of results) {
    if (r.status === 'rejected') expect(r.reason).toMatchObject({ code: 'insufficient_funds' });
  }
  const above = await balance(t.db.as(parent), parent, parent, 'USD');
  expect([above.available.amount, above.held.amount]).toEqual([0n, 60_00n]);
});

test('settles a purchase once when 40 callers capture and release it at once', async () => {
  const parent = await t.reseller('1');
  const child = await t.reseller(parent);
  await t.fund(parent, 10_00n);
  await t.fund(child, 10_00n);
  const id = await t.db.transaction(child, (tx) =>
    hold(t.ctx, tx, { ...purchase, operationId: t.proven(), levels: levelsOf(child, parent, 10_00n, 8_00n) }),
  );
  const results = await settleInParallel(
    Array.from(
      { length: 40 },
      (_, i) => () =>
        t.db.transaction(allTenants, (tx) =>
          i % 2 ? capture(t.ctx, tx, { transactionId: id }) : release(t.ctx, tx, { transactionId: id }),
        ),
    ),
  );
  const kinds = new Set(results.flatMap((r) => (r.status === 'fulfilled' ? [r.value.status] : [])));
  expect(kinds.size).toBe(1);
  expect(results.filter((r) => r.status === 'fulfilled')).toHaveLength(20);
});

test('creates one hold for 50 concurrent holds of one operation', async () => {
  const parent = await t.reseller('1');
  await t.fund(parent, 100_00n);
  const levels = [{ resellerId: parent, sellerId: '1', amount: usd(3_00n) }];
  const results = await settleInParallel(
    Array.from(
      { length: 50 },
      () => () => t.db.transaction(parent, (tx) => hold(t.ctx, tx, { ...purchase, levels, operationId: 'op_same' })),
    ),
  );
  const ids = new Set(results.flatMap((r) => (r.status === 'fulfilled' ? [r.value] : [])));
  expect(ids.size).toBe(1);
  const after = await balance(t.db.as(parent), parent, parent, 'USD');
  expect(after.held.amount).toBe(3_00n);
});

test('loses no update when purchases in a three-level tree lock accounts in opposite directions', async () => {
  const random = seededRandom(20260301);
  const top = await t.reseller('1');
  const middle = await t.reseller(top);
  const low = await t.reseller(middle);
  await t.fund(top, 500_00n);
  await t.fund(middle, 500_00n);
  await t.fund(low, 500_00n);
  const buyers = [low, middle, top];
  const chains = [
    [low, middle, top, '1'],
    [middle, top, '1'],
    [top, '1'],
  ];
  const settled = await settleInParallel(
    Array.from({ length: 150 }, (_, i) => async () => {
      const which = Math.floor(random() * 3);
      const chain = chains[which]!;
      const buyer = buyers[which]!;
      const levels = chain
        .slice(0, -1)
        .map((id, n) => ({ resellerId: id, sellerId: chain[n + 1]!, amount: usd(BigInt(100 - n * 10)) }));
      if (i % 10 === 0) await fundReseller(t.ctx, actorOf(top), middle, { amount: '1.00', description: 'more' });
      const operationId = t.proven();
      const id = await t.db.transaction(buyer, (tx) => hold(t.ctx, tx, { ...purchase, levels, operationId }));
      await t.db.transaction(allTenants, (tx) =>
        i % 3
          ? capture(t.ctx, tx, { transactionId: id, amount: usd(BigInt(i % 100)) })
          : release(t.ctx, tx, { transactionId: id }),
      );
    }),
  );
  expect(settled.filter((each) => each.status === 'rejected')).toEqual([]);
  const after = await balance(t.db.as(low), low, low, 'USD');
  expect(after.held.amount).toBe(0n);
});
