import pg from 'pg';
import './driver/instants.ts';
import type { Database } from './handles.ts';
import { type DatabaseSettings, LoginPool } from './pool/login-pool.ts';
import { withRetries } from './pool/retries.ts';
import { reader, writer } from './pool/statements.ts';
import { type AliveGuard, watchHeartbeat } from './servers/heartbeat.ts';
import { ServerLocator } from './servers/hosts.ts';
import { openReplicaReads } from './servers/replica-reads.ts';
import { type Sql, sql } from './sql/sql.ts';
import { allTenants, type Tenant } from './tenants/tenant.ts';

export type { Autocommit, Database, Reader, Tx, Waits } from './handles.ts';

// Dates without a time stay text: a local-time Date would shift the day.
pg.types.setTypeParser(1082, (text) => text);

/**
 * For the `returning` of an autocommit statement: its commit does not wait for the disk. A server crash may lose it, but never out of
 * order, because every later synchronous commit flushes it too. For records that nothing outside depends on.
 */
export const asyncCommit = sql.raw(`set_config('synchronous_commit', 'off', true)`);

/** A third of each login's connections is for readers, so that reads do not wait behind commits that wait for a standby. */
function poolPair(
  url: string,
  settings: DatabaseSettings,
  alive: AliveGuard,
  onUnanswered: () => void,
): { writing: LoginPool; reading: LoginPool } {
  const all = settings.maxConnections ?? 16;
  const reading = Math.floor(all / 3);
  const connections = (maxConnections: number) =>
    new LoginPool(new ServerLocator(url), { ...settings, maxConnections }, alive, onUnanswered);
  const writing = connections(all - reading);
  return { writing, reading: reading === 0 ? writing : connections(reading) };
}

export function openDatabase(settings: DatabaseSettings): Database {
  const cut = () => {
    for (const each of all) each.cut();
  };
  const heartbeat = settings.heartbeat
    ? watchHeartbeat(new ServerLocator(settings.url), { onUnresponsive: cut })
    : undefined;
  const alive: AliveGuard = (work) => (heartbeat ? heartbeat.guard(work) : work);
  /** Checks all pools, one check at a time. Pools that only read do not notice a change of primary. */
  let isChecking = false;
  const checkPrimary = async () => {
    if (isChecking) return;
    isChecking = true;
    await Promise.allSettled([...all].map((each) => each.closeOtherConnections()));
    isChecking = false;
  };
  const one = poolPair(settings.url, settings, alive, checkPrimary);
  const every = settings.allTenantsUrl ? poolPair(settings.allTenantsUrl, settings, alive, checkPrimary) : one;
  const connections = (tenant: Tenant) => (tenant === allTenants ? every : one).writing;
  const reading = (tenant: Tenant) => (tenant === allTenants ? every : one).reading;
  const all = new Set([one, every].flatMap((pools) => [pools.writing, pools.reading]));
  const read = (tenant: Tenant, statement: Sql) => withRetries(() => reading(tenant).read(tenant, statement));
  const replicaReads =
    settings.replica &&
    openReplicaReads(
      settings.replica,
      (place, guard) => new LoginPool(place, settings, guard),
      (statement) => read(allTenants, statement),
    );
  return {
    as: (tenant) => reader((statement) => read(tenant, statement)),
    asReplica: (tenant) =>
      reader(async (statement) => (await replicaReads?.read(tenant, statement)) ?? read(tenant, statement)),
    autocommit: (tenant) => writer((statement) => withRetries(() => connections(tenant).autocommit(tenant, statement))),
    transaction: (tenant, work, whom) => withRetries(() => connections(tenant).attempt(tenant, work, whom)),
    // Only the connections for requests count. Background jobs use other connections and may wait for them.
    longestWaitsMs: () => ({ reading: one.reading.longestWaitMs(), writing: one.writing.longestWaitMs() }),
    async close() {
      heartbeat?.stop();
      await Promise.all([...[...all].map((each) => each.close()), replicaReads?.close()]);
    },
  };
}

/** The same database, with reads outside a transaction served by a standby where possible. */
export const withReplicaReads = (db: Database): Database => ({ ...db, as: db.asReplica });

/** The name of the violated constraint, if the error is a constraint violation. */
export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' || code === '23503' || code === '23514' || code === '23P01' ? constraint : undefined;
}
