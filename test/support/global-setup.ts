import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '@namehold/postgres/embedded/alive';
import { binariesIn } from '@namehold/postgres/embedded/binaries';
import { type Cluster, openCluster } from '@namehold/postgres/embedded/cluster';
import type { TestProject } from 'vitest/node';
import { sweep } from './sweep.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection address with `{database}` to be replaced. */
    postgresUrl: string;
    /** A folder with programs of another PostgreSQL than the included one. */
    postgresBinaries: string | undefined;
  }
}

const roomBytes = 4 * 1024 ** 3;

/** A database is a thousand files, and each test file has one or two. They cost least in memory, if there is enough. */
function place(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return Math.min(bavail * bsize, freemem()) > roomBytes ? '/dev/shm' : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Left by killed runs: it would use memory until the machine restarts. */
function leftIn(folder: string): string[] {
  const dead = (name: string) => {
    const pid = /^namehold-test-(\d+)-/.exec(name)?.[1];
    return pid !== undefined && !isAlive(Number(pid), 'vitest');
  };
  return readdirSync(folder)
    .filter(dead)
    .map((name) => join(folder, name));
}

/**
 * One PostgreSQL for the whole run. Test data need not survive a power cut, so fsync is off. A database lives for seconds, so
 * maintenance for long-lived ones (vacuum, JIT compilation) is disabled.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const where = place();
  sweep(leftIn(where));
  const folder = mkdtempSync(join(where, `namehold-test-${process.pid}-`));
  const system = project.getProvidedContext().postgresBinaries;
  const cluster: Cluster = await openCluster({
    folder,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '400',
      autovacuum: 'off',
      jit: 'off',
    },
    ...(system ? { binaries: binariesIn(system) } : {}),
  });
  project.provide('postgresUrl', cluster.url('{database}'));
  // A run that is stopped never gets to its end; the database is a separate process and would stay.
  const kill = () => cluster.isRunning() && process.kill(cluster.pid, 'SIGQUIT');
  process.once('exit', kill);
  return async () => {
    await cluster.stop();
    process.off('exit', kill);
    rmSync(folder, { recursive: true, force: true });
  };
}
