import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { binariesIn } from '@namehold/postgres/embedded/binaries';
import { type Cluster, ensureDatabase, openCluster } from '@namehold/postgres/embedded/cluster';
import { chooseServiceUser } from '@namehold/postgres/embedded/service-user';
import pg from 'pg';
import { type FragileDatabase, killFamily } from './database.ts';

/** Debian's PostgreSQL 15, which production may run. */
const bin = '/usr/lib/postgresql/15/bin';
const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '200', max_wal_senders: '5' };
const joinLimitMs = 300_000;

export interface Pair {
  readonly primary: Cluster;
  readonly standby: Cluster;
  /** Promotes the standby; the primary must be dead. */
  promote(): Promise<void>;
  dispose(): Promise<void>;
}

/** A primary with a synchronous standby: a commit is answered when both have it. */
export async function openPair(folder: string, name: string): Promise<Pair> {
  const binaries = binariesIn(bin);
  const primary = await openCluster({ folder: join(folder, 'primary'), settings, binaries });
  await ensureDatabase(primary, name);
  const standbyFolder = join(folder, 'standby');
  copyPrimary(primary, standbyFolder);
  const standby = await openCluster({ folder: standbyFolder, settings, binaries });
  await demandStandby(primary);
  return {
    primary,
    standby,
    promote: async () => void (await ask(standby, 'select pg_promote(true, 60)')),
    async dispose() {
      for (const cluster of [primary, standby]) if (cluster.isRunning()) await killFamily(cluster.pid);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** `kill` ends the primary permanently; `restart` promotes the standby and points the database address to it. */
export async function openReplicatedDatabase(folder: string, name: string): Promise<FragileDatabase> {
  const pair = await openPair(folder, name);
  const { primary, standby } = pair;
  const address = join(folder, 'address');
  symlinkSync(primary.socketFolder, address);
  let [current, failedOver]: [Cluster, boolean] = [primary, false];
  return {
    url: `postgresql://postgres@localhost:5432/${name}?host=${encodeURIComponent(address)}`,
    kill: () => killFamily(current.pid),
    async restart() {
      if (current.isRunning() || failedOver) return;
      await pair.promote();
      rmSync(address);
      symlinkSync(standby.socketFolder, address);
      [current, failedOver] = [standby, true];
    },
    freeze() {
      throw new Error('a replicated database can be killed, not suspended');
    },
    thaw() {},
    dispose: pair.dispose,
  };
}

function copyPrimary(primary: Cluster, folder: string): void {
  const user = chooseServiceUser();
  mkdirSync(folder, { recursive: true });
  const asUser = user.uid === undefined ? {} : { uid: user.uid, gid: user.gid as number };
  if (user.uid !== undefined) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
  const from = `host=${primary.socketFolder} port=5432 user=postgres application_name=standby`;
  const args = ['-d', from, '-D', join(folder, 'data'), '-R', '-X', 'stream', '-c', 'fast'];
  execFileSync(join(bin, 'pg_basebackup'), args, { ...asUser, cwd: '/', stdio: 'pipe' });
}

/** From now on no commit is answered before the standby has it. */
async function demandStandby(primary: Cluster): Promise<void> {
  await ask(primary, `alter system set synchronous_standby_names = 'standby'`);
  await ask(primary, 'select pg_reload_conf()');
  for (let waited = 0; ; waited += 100) {
    const rows = await ask(primary, `select 1 from pg_stat_replication where sync_state = 'sync'`);
    if (rows > 0) return;
    if (waited > joinLimitMs) throw new Error('the standby does not follow');
    await sleep(100);
  }
}

async function ask(cluster: Cluster, statement: string): Promise<number> {
  const client = new pg.Client({ connectionString: cluster.url('postgres') });
  await client.connect();
  try {
    return (await client.query(statement)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}
