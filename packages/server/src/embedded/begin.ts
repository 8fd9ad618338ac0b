import { type Config, readConfig } from '../config.ts';
import { DataFolder } from './data-folder.ts';
import { openHouseCluster } from './house-cluster.ts';
import type { Cluster } from './postgres/cluster.ts';
import { requirePorts } from './require-ports.ts';
import { launchSandbox, readState, type SandboxState, sandboxLaunch } from './sandbox-process.ts';

interface Embedded {
  readonly cluster?: Cluster | undefined;
  /** The registry of a sandbox, where it is starting. */
  readonly sandbox?: Promise<SandboxState>;
}

/** What a service has before its own code is loaded, which takes longest of its start. */
export interface Begun extends Embedded {
  readonly config: Config;
  /** Somebody wants it to end. */
  readonly stopAsked: Promise<void>;
}

export async function beginServe(env: NodeJS.ProcessEnv): Promise<Begun> {
  // Heard from the first moment on: a stop during the start waits for it, and leaves nothing running.
  const { promise: stopAsked, resolve: ask } = Promise.withResolvers<void>();
  process.on('SIGTERM', () => ask());
  process.on('SIGINT', () => ask());
  const config = readConfig(env);
  await requirePorts(config);
  // What fails here fails again where it is needed, and is told there.
  const embedded = await beginEmbedded(config).catch(() => undefined);
  return { config, stopAsked, ...embedded };
}

/** The registry is a process: it starts while the code of the service is loaded. */
async function beginEmbedded(config: Config): Promise<Embedded> {
  const folder = new DataFolder(config.dataDir);
  const cluster = await openHouseCluster(config, folder);
  // A first start has a past to make, before there is a registry.
  const isFirst = folder.readCredentials() === undefined;
  if (!cluster || isFirst || config.mode !== 'sandbox' || readState(folder.file('sandbox'))) return { cluster };
  const sandbox = launchSandbox(sandboxLaunch(config, folder, cluster.url('namehold_sandbox')));
  sandbox.catch(() => undefined);
  return { cluster, sandbox };
}
