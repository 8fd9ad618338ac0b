import { expect, test } from 'vitest';
import { emptyDatabase } from '../../../test/support/database.ts';
import { openDatabase } from '../src/database.ts';
import { sql } from '../src/sql/sql.ts';
import { chargedTo } from '../src/tenants/charged.ts';

test('leaves writing connections for others when accounts below one top account use all that they get', async () => {
  const { url, drop } = await emptyDatabase('charged');
  // Eight of them write: three at most for one account, and six for accounts below one top account.
  const pool = openDatabase({ url, maxConnections: 12, idleInTransactionMs: 300_000 });
  // Opens the connections, so that no caller waits for that.
  await Promise.all(
    Array.from({ length: 8 }, (_, n) => pool.transaction(`job-${n}`, (tx) => tx.one(sql`select 1 as n`))),
  );
  const { promise: end, resolve: goOn } = Promise.withResolvers<void>();
  const running: string[] = [];
  const below = (top: string, account: string, work = end) =>
    chargedTo(pool, top).transaction(account, async (tx) => {
      await tx.one(sql`select 1 as n`);
      running.push(`${top} ${account}`);
      await work;
    });
  const held = ['a', 'b', 'c'].flatMap((account) => [1, 2, 3].map(() => below('first', account)));
  await expect.poll(() => running.length).toBe(6);
  await below('second', 'd', Promise.resolve());
  // A job of the service has no top account, and an account alone has its own share.
  await pool.transaction('a-job', (tx) => tx.one(sql`select 1 as n`));
  expect(running.filter((each) => each.startsWith('first'))).toHaveLength(6);
  goOn();
  await Promise.all(held);
  expect(running.filter((each) => each.startsWith('first'))).toHaveLength(9);
  await pool.close();
  await drop();
});
