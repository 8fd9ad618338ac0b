import { setImmediate } from 'node:timers/promises';
import { onTerminationSignal } from '@namehold/base';
import { type Config, readConfig } from '../config.ts';
import { openConfiguredCluster } from './configured-cluster.ts';
import { DataFolder } from './data-folder.ts';
import { type Cluster, clusterUrl } from './postgres/cluster.ts';
import { requirePorts } from './require-ports.ts';
import { launchSandbox, readState, type SandboxState, sandboxLaunch } from './sandbox-process.ts';

interface Embedded {
  /** None where the operator has a database, or where it did not start: that fails again where it is needed, and is told there. */
  readonly cluster: Promise<Cluster | undefined>;
  /** The registry of a sandbox, where it is starting. */
  readonly sandbox?: Promise<SandboxState>;
}

/** What a service has before its own code is loaded, which takes longest of its start. */
export interface Begun extends Embedded {
  readonly config: Config;
  /** Somebody wants it to end. */
  readonly stopRequested: Promise<void>;
}

export async function beginServe(env: NodeJS.ProcessEnv): Promise<Begun> {
  // Heard from the first moment on: a stop during the start waits for it, and leaves nothing running.
  const { promise: stopRequested, resolve: ask } = Promise.withResolvers<void>();
  onTerminationSignal(ask);
  const config = readConfig(env);
  await requirePorts(config);
  return { config, stopRequested, ...(await beginEmbedded(config)) };
}

/** Database and registry are processes: they start while the code of the service is loaded. */
async function beginEmbedded(config: Config): Promise<Embedded> {
  const folder = new DataFolder(config.dataDir);
  const cluster = openConfiguredCluster(config, folder).catch(() => undefined);
  // A first start has a past to make, before there is a registry.
  const isFirst = folder.readCredentials() === undefined;
  if (config.databaseUrl || isFirst || config.mode !== 'sandbox' || readState(folder.file('sandbox')))
    return { cluster };
  // The database's own process begins first.
  await setImmediate();
  const databaseUrl = clusterUrl(folder.file('postgres'), 'namehold_sandbox');
  const sandbox = launchSandbox(sandboxLaunch(config, folder, databaseUrl), cluster);
  sandbox.catch(() => undefined);
  return { cluster, sandbox };
}
