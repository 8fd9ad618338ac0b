import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, ensureDatabase, openCluster } from '../../../packages/server/src/embedded/postgres/cluster.ts';

/** A PostgreSQL of its own, which may die, freeze and come back. */
export interface FragileDatabase {
  readonly url: string;
  /** All its processes at once, as a power cut would; what was not flushed is gone. */
  kill(): Promise<void>;
  /** After a kill: the same data, as far as they were flushed. */
  restart(): Promise<void>;
  freeze(): void;
  thaw(): void;
  dispose(): Promise<void>;
}

/** The machine stays alive, so the files need no fsync; what the server had not yet written is lost with it all the same. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  // What is committed without waiting stays in memory as long as it can: whoever relies on it is found out.
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
      signal([cluster.pid], 'SIGSTOP');
      family = familyOf(cluster.pid);
      signal(family, 'SIGSTOP');
    },
    thaw() {
      signal(family, 'SIGCONT');
      family = [];
    },
    async dispose() {
      signal(family, 'SIGCONT');
      if (cluster.isRunning()) await killFamily(cluster.pid);
      rmSync(folder, { recursive: true, force: true });
      rmSync(cluster.dataFolder, { recursive: true, force: true });
    },
  };
}

/** A server with all its processes, each of them stopped, or let go on. */
export function signalFamily(postmaster: number, what: 'SIGSTOP' | 'SIGCONT'): void {
  signal([postmaster], what);
  signal(familyOf(postmaster), what);
}

function signal(pids: readonly number[], what: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, what);
    } catch {
      // It ended by itself.
    }
  }
}

const deathLimitMs = 300_000;

/** A server with all its processes. */
export async function killFamily(postmaster: number): Promise<void> {
  // Stopped first, so that it has no more children while we count them.
  signal([postmaster], 'SIGSTOP');
  const pids = familyOf(postmaster);
  signal(pids, 'SIGKILL');
  // The next server takes a postmaster that is dead and not yet buried for one that runs; it is our child, so it will be.
  for (let waited = 0; pids.some(isThere) || existsSync(`/proc/${postmaster}`); waited += 5) {
    if (waited > deathLimitMs) throw new Error('PostgreSQL does not die');
    await sleep(5);
  }
}

/** The postmaster first, so that it cannot tend to its children. */
function familyOf(parent: number): number[] {
  const children = readdirSync('/proc').filter((each) => /^\d+$/.test(each) && parentOf(each) === parent);
  return [parent, ...children.map(Number)];
}

function parentOf(pid: string): number | undefined {
  try {
    // "pid (name) state parent ...", and a name may hold brackets itself.
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
