import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, ensureDatabase, openCluster } from '@namehold/postgres/embedded/cluster';
import { resume, suspend } from '../../support/suspend.ts';

/** A separate PostgreSQL server that can be killed, suspended and restarted. */
export interface FragileDatabase {
  readonly url: string;
  /** Kills all its processes at once, like a power cut; unflushed data is lost. */
  kill(): Promise<void>;
  /** After a kill: the same data, as far as it was flushed. */
  restart(): Promise<void>;
  freeze(): void;
  thaw(): void;
  dispose(): Promise<void>;
}

/** The machine keeps running, so the files need no fsync; data that the server had not written is lost all the same. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  // Unflushed commits stay in memory as long as possible, so that code that relies on them fails.
  wal_writer_delay: '10000',
};

export async function openFragileDatabase(folder: string, name: string): Promise<FragileDatabase> {
  let cluster: Cluster = await openCluster({ folder, settings });
  await ensureDatabase(cluster, name);
  let family: number[] = [];
  return {
    url: cluster.url(name),
    kill: () => killFamily(cluster.pid),
    async restart() {
      cluster = await openCluster({ folder, settings });
    },
    freeze() {
      family = suspendFamily(cluster.pid);
    },
    thaw() {
      resume(...family);
      family = [];
    },
    async dispose() {
      resume(...family);
      if (cluster.isRunning()) await killFamily(cluster.pid);
      rmSync(folder, { recursive: true, force: true });
      rmSync(cluster.dataFolder, { recursive: true, force: true });
    },
  };
}

/** Suspends all processes of a server: the postmaster first, so that it creates no more children during the count. */
export function suspendFamily(postmaster: number): number[] {
  suspend(postmaster);
  const family = familyOf(postmaster);
  suspend(...family);
  return family;
}

export function resumeFamily(postmaster: number): void {
  resume(...familyOf(postmaster));
}

function kill(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended on its own.
    }
  }
}

const deathLimitMs = 300_000;

/** The process ids of a server and its children. */
export async function killFamily(postmaster: number): Promise<void> {
  const pids = suspendFamily(postmaster);
  kill(pids);
  // The next server would take a dead but unreaped postmaster for a running one; it is our child, so it will be reaped.
  for (let waited = 0; pids.some(isThere) || existsSync(`/proc/${postmaster}`); waited += 5) {
    if (waited > deathLimitMs) throw new Error('PostgreSQL does not end');
    await sleep(5);
  }
}

/** The postmaster first, so that it cannot react to its children. */
function familyOf(parent: number): number[] {
  const children = readdirSync('/proc').filter((each) => /^\d+$/.test(each) && parentOf(each) === parent);
  return [parent, ...children.map(Number)];
}

function parentOf(pid: string): number | undefined {
  try {
    // "pid (name) state parent ...", and a name may contain parentheses itself.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return undefined;
  }
}

function isThere(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
