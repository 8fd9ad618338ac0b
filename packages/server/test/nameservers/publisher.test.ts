import { allTenants, sql } from '@namehold/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { orderOf } from '../domains/life.ts';

let one: TestService;
let two: TestService;
beforeAll(async () => {
  one = await startTestService({ sandbox: true });
  two = await one.second();
});
afterAll(async () => {
  await expectReconciled(one);
  await two.stop();
  await one.stop();
});

const catalogSerialOf = async (name: string) => {
  const row = await one.ctx.db
    .as(allTenants)
    .maybe<{ catalog_serial: string | null }>(
      sql`select catalog_serial from zone_membership where name = ${`${name}.`}`,
    );
  return row?.catalog_serial ?? null;
};

/** Waits until the zone is in the catalog, which only the publisher writes. */
async function published(at: TestService, name: string): Promise<void> {
  const called = await at.call('POST', '/v1/domains', { form: orderOf(name) });
  expect(called.status, called.text).toBe(200);
  await expect.poll(() => catalogSerialOf(name)).not.toBeNull();
}

/** Number of reads of zones by id during the work, in both processes. */
async function readsWhile(work: () => Promise<unknown>): Promise<number> {
  let reads = 0;
  const client = pg.Client.prototype as unknown as { query(...given: unknown[]): unknown };
  const { query } = client;
  client.query = function counted(this: object, ...given: unknown[]) {
    const [statement] = given;
    const text = String(typeof statement === 'string' ? statement : (statement as { text: string }).text);
    if (text.includes('from zone z left join zone_rrset')) reads += 1;
    return query.apply(this, given);
  };
  try {
    await work();
  } finally {
    client.query = query;
  }
  return reads;
}

test('reads zone changes in one process only, and another process takes over its lock', async () => {
  const names = (mark: string) => [one, two, one, two].map((at, n) => ({ at, name: `${mark}-${n}.com` }));
  const buy = async (mark: string) => {
    for (const { at, name } of names(mark)) await published(at, name);
  };
  await published(two, 'first.com');
  const reads = await readsWhile(() => buy('read'));
  // Fewer if the periodic read came first.
  expect(reads).toBeLessThanOrEqual(4);
  await one.ctx.db.autocommit(allTenants).run(
    // The view shows the locks of all databases, and other test files use the same server.
    sql`
        select pg_terminate_backend(pid) from pg_locks
        where locktype = 'advisory' and mode = 'ExclusiveLock' and granted and pid <> pg_backend_pid()
          and database = (select oid from pg_database where datname = current_database())`,
  );
  await buy('taken-over');
});
