import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createEppPool, type EppPool } from '@namehold/epp';
import { sandboxProfile } from '../../packages/server/src/registries/profiles/sandbox.ts';

const entry = fileURLToPath(new URL('../../packages/sandbox/src/main.ts', import.meta.url));

export interface State {
  readonly pid: number;
  readonly host: string;
  readonly port: number;
  readonly control_port: number;
  readonly ca_file: string;
  readonly accounts: readonly { client_id: string; password: string; cert_file: string; key_file: string }[];
}

/** The sandbox registry as a separate process, which ends with the bench in any case. */
export async function startRegistry(folder: string, databaseUrl: string) {
  const stateFile = join(folder, 'sandbox.json');
  rmSync(stateFile, { force: true });
  const child = spawn(process.execPath, [entry], {
    env: { ...process.env, SANDBOX_DATABASE_URL: databaseUrl, SANDBOX_DIR: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  while (!existsSync(stateFile)) {
    if (child.exitCode !== null) throw new Error('the registry ended before it listened');
    await sleep(50);
  }
  const state = JSON.parse(readFileSync(stateFile, 'utf8')) as State;
  const stop = async () => {
    process.off('exit', kill);
    child.kill('SIGTERM');
    await gone;
  };
  return { state, stop };
}

export function endpointOf(state: State) {
  const account = state.accounts[0]!;
  return {
    host: state.host,
    port: state.port,
    ca: readFileSync(state.ca_file),
    cert: readFileSync(account.cert_file),
    key: readFileSync(account.key_file),
  };
}

export function openPool(state: State, sessions = 8): EppPool {
  const account = state.accounts[0]!;
  let number = 0;
  return createEppPool({
    endpoint: endpointOf(state),
    credentials: { clID: account.client_id, pw: account.password },
    profile: {
      ...sandboxProfile,
      limits: { ...sandboxProfile.limits, sessions, commandsPerSecond: 100_000, maxCommandsPerSession: 1_000_000 },
    },
    journal: { prepared: async () => {} },
    newClTRID: () => `BENCH-${process.pid}-${number++}`,
  });
}
