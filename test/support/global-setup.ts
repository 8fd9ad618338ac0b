import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { binariesIn } from '../../packages/server/src/embedded/postgres/binaries.ts';
import { type Cluster, openCluster } from '../../packages/server/src/embedded/postgres/cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection address with `{database}` to be replaced. */
    postgresUrl: string;
  }
}

/** One PostgreSQL for the whole run. Test data need not survive a power cut, so fsync is off. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'namehold-test-'));
  const system = process.env.TEST_POSTGRES_BIN;
  const cluster: Cluster = await openCluster({
    folder,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' },
    ...(system ? { binaries: binariesIn(system) } : {}),
  });
  project.provide('postgresUrl', cluster.url('{database}'));
  return async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
