import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { orderOf } from '../domains/life.ts';

let t: TestService;
/** The other release, and a transaction that delays orders. */
let other: pg.Client;
let locker: pg.Client;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  [other, locker] = [
    new pg.Client({ connectionString: t.databaseUrl }),
    new pg.Client({ connectionString: t.databaseUrl }),
  ];
  await Promise.all([other.connect(), locker.connect()]);
});
afterAll(async () => {
  await Promise.all([other.end(), locker.end()]);
  await t.stop();
});

const order = (name: string) => t.call('POST', '/v1/domains', { form: orderOf(name) });

/** Whether a session waits for this table, which has the same number in databases of other test files. */
const waitsFor = async (table: string): Promise<boolean> => {
  const { rows } = await other.query<{ waits: boolean }>(
    `select exists (
       select from pg_locks where not granted and relation = $1::regclass
         and database = (select oid from pg_database where datname = current_database())) as waits`,
    [table],
  );
  return rows[0]!.waits;
};

test('completes and charges orders once while another release alters the operation table', async () => {
  const names = Array.from({ length: 8 }, (_, n) => `release-${n}.com`);
  const take = (count: number) => names.splice(0, count).map((name) => order(name));
  const statuses = async (orders: ReturnType<typeof take>) =>
    (await Promise.all(orders)).map(({ status, text }) => (status === 200 ? 200 : text));
  expect(await statuses(take(2))).toEqual([200, 200]);
  await other.query('alter table operation add column of_the_next text');
  expect(await statuses(take(2))).toEqual([200, 200]);
  for (const change of ['add column of_the_one_after text', 'drop column of_the_next']) {
    await locker.query('begin');
    await locker.query('lock table domain in share mode');
    const orders = take(2);
    await expect.poll(() => waitsFor('domain')).toBe(true);
    await other.query('begin');
    await other.query(`alter table operation ${change}`);
    await locker.query('commit');
    await expect.poll(() => waitsFor('operation')).toBe(true);
    await other.query('commit');
    expect(await statuses(orders), change).toEqual([200, 200]);
  }
  await expectReconciled(t);
});
