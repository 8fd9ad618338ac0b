import { setImmediate } from 'node:timers/promises';
import { onTerminationSignal } from '@namehold/base';
import { type Cluster, clusterUrl } from '@namehold/postgres/embedded/cluster';
import { type Config, readConfig } from '../config.ts';
import { openConfiguredCluster } from './configured-cluster.ts';
import { DataFolder } from './data-folder.ts';
import { requirePorts } from './require-ports.ts';
import { launchSandbox, readState, type SandboxState, sandboxLaunch } from './sandbox-process.ts';

interface Embedded {
  /** Undefined with an external database, or if the start failed. The failure is reported later, when the database is opened. */
  readonly cluster: Promise<Cluster | undefined>;
  /** The sandbox registry, if it was started. */
  readonly sandbox?: Promise<SandboxState>;
}

/** The parts that start before the code of the service is loaded, which takes most of the start time. */
export interface Begun extends Embedded {
  readonly config: Config;
  /** Resolves at a termination signal. */
  readonly stopRequested: Promise<void>;
}

export async function beginServe(env: NodeJS.ProcessEnv): Promise<Begun> {
  // Registered first: a stop during the start waits for the start and leaves nothing running.
  const { promise: stopRequested, resolve: requestStop } = Promise.withResolvers<void>();
  onTerminationSignal(requestStop);
  const config = readConfig(env);
  await requirePorts(config);
  return { config, stopRequested, ...(await beginEmbedded(config)) };
}

/** Database and registry are processes of their own, so they start while the code of the service is loaded. */
async function beginEmbedded(config: Config): Promise<Embedded> {
  const folder = new DataFolder(config.dataDir);
  const cluster = openConfiguredCluster(config, folder).catch(() => undefined);
  // The first start creates the demo history before there is a registry.
  const isFirst = folder.readCredentials() === undefined;
  if (config.databaseUrl || isFirst || config.mode !== 'sandbox' || readState(folder.file('sandbox')))
    return { cluster };
  // Lets the database process start first.
  await setImmediate();
  const databaseUrl = clusterUrl(folder.file('postgres'), 'namehold_sandbox');
  const sandbox = launchSandbox(sandboxLaunch(config, folder, databaseUrl), cluster);
  sandbox.catch(() => undefined);
  return { cluster, sandbox };
}
