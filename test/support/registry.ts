import { join } from 'node:path';
import { clockFromFile } from '@namehold/base';
import { startSandbox } from '@namehold/sandbox';
import { readSettings } from '@namehold/sandbox/settings';
import type { Config } from '../../packages/server/src/config.ts';
import type { SandboxProcess } from '../../packages/server/src/embedded/sandbox-process.ts';

/**
 * The sandbox registry in the process of the tests, otherwise unchanged: sockets, database, clock, faults of chaos mode. A separate process
 * would load and compile the same code for each service, which is half of the cost of a start.
 */
export const registryHere = (config: Config) => async (): Promise<SandboxProcess> => {
  const folder = join(config.dataDir, 'sandbox');
  const { chaosSeed, databaseUrl } = readSettings({
    SANDBOX_DIR: folder,
    SANDBOX_DATABASE_URL: config.sandboxDatabaseUrl,
    SANDBOX_CHAOS: process.env.SANDBOX_CHAOS,
  });
  const sandbox = await startSandbox({
    databaseUrl,
    folder,
    clock: clockFromFile(join(config.dataDir, 'clock')),
    ...(chaosSeed === undefined ? {} : { chaosSeed }),
  });
  return {
    get state() {
      const { host, port, controlPort, caFile, accounts, systems } = sandbox;
      return { pid: process.pid, host, port, control_port: controlPort, ca_file: caFile, accounts, systems };
    },
    disconnect: async () => undefined,
    stop: () => sandbox.stop(),
  };
};
