import { type Cluster, ensureDatabase, openCluster } from '@namehold/postgres/embedded/cluster';
import type { Config } from '../config.ts';
import type { DataFolder } from './data-folder.ts';

/** The embedded server with the databases of a service. Undefined with an external database. */
export async function openConfiguredCluster(config: Config, folder: DataFolder): Promise<Cluster | undefined> {
  if (config.databaseUrl) return undefined;
  const cluster = await openCluster({ folder: folder.file('postgres') });
  await ensureDatabase(cluster, 'namehold', ...(config.mode === 'sandbox' ? ['namehold_sandbox'] : []));
  return cluster;
}
