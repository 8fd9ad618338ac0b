import { allTenants } from '@namehold/postgres';
import pg from 'pg';
import { expect } from 'vitest';
import { expectReconciled } from '../../../../../test/support/reconciliation.ts';
import { startTestService, type TestService } from '../../../../../test/support/service.ts';
import { sampleZones } from '../../../src/core/nameservers/publication.sql.ts';
import { jobs } from '../../../src/jobs/index.ts';
import { type Differing, multiply, rowsRead } from '../../support/crowd.ts';
import { lifeOf, orderOf } from '../life.ts';

/** The limit of rows that an order reads from a table, whatever its size: more than all of them in the smallest case. */
const maxRows = 5_000;

/** Columns that grow with every order, and columns that differ in each copy of a row. */
const growingTables: Readonly<Record<string, Differing>> = {
  domain: { id: '900000 + n', name: `'other-' || n || '.com'`, reseller_id: '1000 + n % 2' },
  zone: {
    id: '900000 + n',
    domain_id: '900000 + n',
    name: `'other-' || n || '.com.'`,
    reseller_id: '1000 + n % 2',
    // In the past, or all of them would be read as recently changed.
    changed_xid: `'1'`,
  },
  zone_rrset: { zone_id: '900000 + n' },
  zone_change: { zone_id: '900000 + n' },
  zone_membership: { zone_id: '900000 + n', name: `'other-' || n || '.com.'` },
  operation: { id: `'other-' || n`, domain_id: '900000 + n' },
  registry_command: { cltrid: `'other-' || n`, operation_id: `'other-' || n` },
  event: { number: 'row.number + 1000 * n', object_id: '900000 + n' },
  audit: { object_id: '900000 + n' },
  audit_link: { number: '900000000 + n', audit_id: '900000000 + n' },
  idempotency: { key: `'other-' || n` },
  confirmation: { fingerprint: `'other-' || n`, address_key: `'other-' || n || '@registrant.test'` },
  ledger_transaction: {
    id: '900000 + n',
    purchase_id: '900000 + n',
    operation_id: `'other-' || n`,
    domain_id: '900000 + n',
  },
  ledger_entry: { transaction_id: '900000 + n' },
  contact: { id: '900000 + n', fingerprint: 'md5(n::text)' },
  customer: { id: '900000 + n', email: `'other-' || n || '@customer.test'` },
};

/** With an idempotency key each, as client programs order. */
async function order(at: TestService, name: string): Promise<void> {
  const called = await at.call('POST', '/v1/domains', { form: orderOf(name), headers: { 'Idempotency-Key': name } });
  expect(called.status, called.text).toBe(200);
}

const read = (owner: pg.Client) => rowsRead(owner, Object.keys(growingTables));

/** The zone queries of an order with plans that this connection has cached; how many rows they read. */
async function readOfZones(owner: pg.Client): Promise<number> {
  await owner.query('begin');
  await owner.query(`select zone_name_in_the_way('young.com.', 1), zone_make_way(name || '.', id, now())
    from domain where name = 'first.com'`);
  const { rows } = await owner.query<{ n: number }>(
    `select (seq_tup_read + idx_tup_fetch)::float as n from pg_stat_xact_user_tables where relname = 'zone'`,
  );
  await owner.query('rollback');
  return rows[0]!.n;
}

/**
 * An order, a renewal, a deletion, and all background jobs when nothing is due, among many others: the tables of which they read too
 * much.
 */
export async function excessiveReads(others: number): Promise<{ table: string; read: number }[]> {
  const t = await startTestService({
    sandbox: true,
    env: { NAMEHOLD_VERIFY_REGISTRANTS: 'hold', NAMEHOLD_LOG_LEVEL: 'error' },
  });
  const owner = new pg.Client({ connectionString: t.databaseUrl });
  try {
    await owner.connect();
    // A generic plan does not know values, so a plan that is good then is always good.
    const { rows } = await owner.query<{ name: string }>('select current_database() as name');
    await owner.query(`alter database ${rows[0]!.name} set plan_cache_mode = force_generic_plan`);
    await order(t, 'first.com');
    await expectReconciled(t);
    await owner.query('set session_replication_role = replica');
    await readOfZones(owner);
    const { zone, ...rest } = growingTables;
    await multiply(owner, 'zone', others, zone!);
    // Planned when there was one zone, and without new statistics since.
    expect(await readOfZones(owner)).toBeLessThan(100);
    await owner.query('vacuum analyze zone');
    for (const [table, differing] of Object.entries(rest)) {
      await multiply(owner, table, others, differing);
      // At once, because background jobs continue and scan tables without statistics.
      await owner.query(`vacuum analyze ${table}`);
    }
    return await readWhileOrdering(t, owner);
  } finally {
    await owner.end();
    await t.stop();
  }
}

/** Reconciliation scans whole tables. */
const scanningJobs = new Set(['run-reconciliation']);

async function runJobs(t: TestService): Promise<void> {
  for (const job of jobs.filter(({ name }) => !scanningJobs.has(name))) await job.run(t.ctx);
  expect((await sampleZones(t.ctx.db.as(allTenants), 100)).length).toBeGreaterThan(10);
}

/** The orders in a process without cached plans. */
async function readWhileOrdering(t: TestService, owner: pg.Client): Promise<{ table: string; read: number }[]> {
  const other = await t.second();
  try {
    // What a process reads at its start does not belong to an order, and due work is done before.
    await order(other, 'warm.com');
    await runJobs(t);
    const before = await read(owner);
    await runJobs(t);
    await order(other, 'second.com');
    expect((await lifeOf(other).renew('second.com')).status).toBe(200);
    expect((await other.call('DELETE', `/v1/domains/${(await lifeOf(t).row('second.com')).id}`)).status).toBe(200);
    const after = await read(owner);
    return [...after]
      .map(([table, n]) => ({ table, read: n - before.get(table)! }))
      .filter(({ read }) => read >= maxRows);
  } finally {
    await other.stop();
  }
}
