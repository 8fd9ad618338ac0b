import { money } from '@namehold/base';
import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setStatus } from '../../src/core/accounts/suspend.ts';
import { hold } from '../../src/core/ledger/hold.ts';
import { actorOf, type TestContext, testContext } from './context.ts';

let t: TestContext;
let chain: string[];
beforeAll(async () => {
  t = await testContext();
  await t.reseller(null);
  const top = await t.reseller('1');
  const middle = await t.reseller(top);
  chain = [await t.reseller(middle), middle, top];
  for (const id of [top, middle, chain[0]!]) await t.fund(id, 100_00n);
});
afterAll(() => t.close());

const buy = (place: number) => {
  const payers = chain.slice(place);
  const levels = payers.map((resellerId, n) => ({
    resellerId,
    sellerId: payers[n + 1] ?? '1',
    amount: money(1_00n, 'USD'),
  }));
  return t.db.transaction(payers[0]!, (tx) =>
    hold(t.ctx, tx, { levels, action: 'create', years: 1, description: 'x' }),
  );
};
const held = async () =>
  (
    await t.db
      .as(allTenants)
      .many<{ balance: string }>(sql`select balance from ledger_account where kind = 'held' order by id`)
  ).map((row) => row.balance);

test('refuses spending of a suspended reseller and those below it, and of none above', async () => {
  for (const [suspended, id] of chain.entries()) {
    await setStatus(t.ctx, actorOf(chain[suspended + 1] ?? '1'), id, 'Suspended');
    const before = await held();
    for (const buyer of chain.keys()) {
      if (buyer > suspended) {
        await buy(buyer);
        continue;
      }
      const refused = await buy(buyer).catch((error: unknown) => error);
      expect(refused).toMatchObject({
        code: 'account_suspended',
        details: { facts: { suspended: buyer === suspended ? 'own' : 'parent' } },
      });
      for (const other of chain) expect(String((refused as Error).message)).not.toContain(other);
    }
    if (suspended === chain.length - 1) expect(await held()).toEqual(before);
    await setStatus(t.ctx, actorOf(chain[suspended + 1] ?? '1'), id, 'Active');
    await buy(0);
  }
});
