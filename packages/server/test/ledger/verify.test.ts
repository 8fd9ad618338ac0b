import { money } from '@namehold/base';
import { allTenants, openDatabase, type Sql, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hold } from '../../src/core/ledger/hold.ts';
import { verifyLedger } from '../../src/core/ledger/verify.ts';
import { type TestContext, testContext } from './context.ts';

let t: TestContext;
beforeAll(async () => {
  t = await testContext();
  await t.reseller(null);
  const shop = await t.reseller('1');
  await t.fund(shop, 100_00n);
  const levels = [{ resellerId: shop, sellerId: '1', amount: money(10_00n, 'USD') }];
  await t.db.transaction(shop, (tx) => hold(t.ctx, tx, { levels, action: 'create', years: 1, description: 'x' }));
});
afterAll(() => t.drop());

test('finds changes made outside of the ledger functions', async () => {
  expect(await verifyLedger(t.db)).toEqual({ counts: { accounts: 3, transactions: 2, entries: 4 }, differences: [] });
  const owner = openDatabase({ url: t.ownerUrl, maxConnections: 1 });
  const corrupt = (...statements: Sql[]) =>
    owner.transaction(allTenants, async (tx) => {
      await tx.run(sql`set local session_replication_role = replica`);
      for (const statement of statements) await tx.run(statement);
    });
  const broken = async () => (await verifyLedger(t.db)).differences.map((d) => d.rule);
  try {
    await corrupt(sql`update ledger_account set balance = balance + 1 where kind = 'available'`);
    expect(await broken()).toEqual(['balance equals the sum of its entries']);
    await corrupt(
      sql`update ledger_account set balance = balance - 1 where kind = 'available'`,
      sql`update ledger_transaction set status = 'completed', settled_at = now() where type = 'domain'`,
    );
    expect(await broken()).toEqual(['a status says what the entries say']);
    await corrupt(
      sql`update ledger_transaction set status = 'pending', settled_at = null where type = 'domain'`,
      sql`update ledger_entry set amount = amount + 1 where posting = 'fund' and amount < 0`,
    );
    expect(await broken()).toEqual(['each transaction sums to zero']);
    await corrupt(
      sql`update ledger_entry set amount = amount - 1 where posting = 'fund' and amount < 0`,
      sql`update ledger_transaction set purchase_id = 7 where type = 'deposit'`,
    );
    expect(await broken()).toEqual(['all levels of a purchase have one status']);
  } finally {
    await owner.close();
  }
});
