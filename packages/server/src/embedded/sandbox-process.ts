import { spawn } from 'node:child_process';
import { chmodSync, closeSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isAlive } from '@namehold/postgres/embedded/alive';
import { openPrivateLog } from '@namehold/postgres/embedded/private-log';
import type { Config } from '../config.ts';
import type { DataFolder, RegistryCredentials } from './data-folder.ts';

interface SandboxAccount {
  readonly client_id: string;
  readonly password: string;
  readonly cert_file: string;
  readonly key_file: string;
}

export interface SandboxSystem extends SandboxAccount {
  readonly name: string;
  readonly port: number;
  readonly tlds: readonly string[];
  /** The HTTP API of an upstream. */
  readonly http_port?: number;
}

/** State file of the sandbox registry, written once it listens. */
export interface SandboxState {
  readonly pid: number;
  readonly host: string;
  readonly port: number;
  readonly control_port: number;
  readonly ca_file: string;
  readonly accounts: readonly SandboxAccount[];
  /**
   * Ports of single registries, each with the behaviour of a bundled profile. A registry that was started by an earlier release has
   * none.
   */
  readonly systems?: readonly SandboxSystem[];
}

export interface SandboxProcess {
  readonly state: SandboxState;
  /** Stops supervision; the registry keeps running for other services. */
  disconnect(): Promise<void>;
  stop(): Promise<void>;
}

/** Settings of the process. */
interface SandboxLaunch {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly clockFile: string;
  readonly port: number;
}

interface SandboxProcessSettings extends SandboxLaunch {
  /** A registry that is already starting. */
  readonly launched?: Promise<SandboxState> | undefined;
  readonly onRestart: (state: SandboxState) => void;
}

export const sandboxLaunch = (config: Config, folder: DataFolder, databaseUrl: string): SandboxLaunch => ({
  folder: folder.file('sandbox'),
  databaseUrl: config.sandboxDatabaseUrl ?? databaseUrl,
  clockFile: folder.file('clock'),
  port: config.sandboxPort,
});

/** Timeout for a registry that hangs. A registry that ends is noticed at once, and a busy machine is slow. */
const startTimeoutMs = 120_000;
/** It ends its sessions within a second, but would wait for an unavailable database. */
const stopLimitMs = 2_500;
/** How long a start waits for it. */
const pollMs = 5;
const watchMs = 1_000;
/** Limits restarts of a registry that cannot start. */
const pauseMaxMs = 60_000;

/** Runs the registry as a process and restarts it. It survives a killed service, and the next start uses it. */
export async function openSandbox(settings: SandboxProcessSettings): Promise<SandboxProcess> {
  const starting = await settings.launched?.catch(() => undefined);
  let state = starting ?? readState(settings.folder) ?? (await launchSandbox(settings));
  let pauseMs = watchMs;
  let notBefore = 0;
  let reviving: Promise<void> | undefined;
  const revive = async () => {
    try {
      // Another service process may have restarted it already. The port stays the same for its clients.
      state = readState(settings.folder) ?? (await launchSandbox({ ...settings, port: state.port }));
      pauseMs = watchMs;
      settings.onRestart(state);
    } catch {
      notBefore = performance.now() + pauseMs;
      pauseMs = Math.min(pauseMs * 2, pauseMaxMs);
    }
    reviving = undefined;
  };
  const watch = setInterval(() => {
    if (reviving || isAlive(state.pid, settings.folder) || performance.now() < notBefore) return;
    reviving = revive();
  }, watchMs).unref();
  const disconnect = async () => {
    clearInterval(watch);
    await reviving;
  };
  return {
    get state() {
      return state;
    },
    disconnect,
    async stop() {
      await disconnect();
      if (!isAlive(state.pid, settings.folder)) return;
      process.kill(state.pid, 'SIGTERM');
      const killAt = performance.now() + stopLimitMs;
      while (isAlive(state.pid, settings.folder) && performance.now() < killAt) await sleep(20);
      // Its answers are in its database, so a registry that hangs loses nothing.
      if (isAlive(state.pid, settings.folder)) process.kill(state.pid, 'SIGKILL');
    },
  };
}

/** The state of a live registry; a file of a dead one is ignored. */
export function readState(folder: string): SandboxState | undefined {
  const path = join(folder, 'sandbox.json');
  if (!existsSync(path)) return undefined;
  try {
    const state = JSON.parse(readFileSync(path, 'utf8')) as SandboxState;
    return isAlive(state.pid, folder) ? state : undefined;
  } catch {
    return undefined;
  }
}

const sandboxMain = fileURLToPath(import.meta.resolve('@namehold/sandbox/main'));

/**
 * `database`: a database that is starting. The registry loads its code meanwhile and is notified when the database is ready or has
 * failed.
 */
export async function launchSandbox(settings: SandboxLaunch, database?: Promise<unknown>): Promise<SandboxState> {
  mkdirSync(settings.folder, { recursive: true, mode: 0o700 });
  // A registry that an earlier release started.
  chmodSync(settings.folder, 0o700);
  const log = openPrivateLog(join(settings.folder, 'sandbox.log'));
  // The folder on the command line identifies the process.
  const child = spawn(process.execPath, [sandboxMain, settings.folder], {
    detached: true,
    stdio: [database ? 'pipe' : 'ignore', log, log],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      SANDBOX_DATABASE_URL: settings.databaseUrl,
      SANDBOX_DIR: settings.folder,
      SANDBOX_PORT: String(settings.port),
      SANDBOX_CLOCK_FILE: settings.clockFile,
      SANDBOX_BEGINS: database ? 'when-input-ends' : undefined,
      // Enables chaos mode in the project's own tests; users have no random faults.
      SANDBOX_CHAOS: process.env.SANDBOX_CHAOS,
      SANDBOX_MISCHIEF: process.env.SANDBOX_MISCHIEF,
    },
  });
  closeSync(log);
  child.stdin?.on('error', () => undefined);
  database?.finally(() => child.stdin?.end()).catch(() => undefined);
  let exit: number | null | undefined;
  child.once('exit', (code) => {
    exit = code;
  });
  child.unref();
  for (let waited = 0; waited < startTimeoutMs; waited += pollMs) {
    const state = readState(settings.folder);
    if (state && state.pid === child.pid) return state;
    if (exit !== undefined)
      throw new Error(`the sandbox registry ended with code ${exit}; see ${join(settings.folder, 'sandbox.log')}`);
    await sleep(pollMs);
  }
  child.kill('SIGKILL');
  throw new Error(
    `the sandbox registry did not start within ${startTimeoutMs} ms; see ${join(settings.folder, 'sandbox.log')}`,
  );
}

export function credentialsOf(state: SandboxState, account: SandboxAccount): RegistryCredentials {
  return {
    host: state.host,
    port: state.port,
    client_id: account.client_id,
    password: account.password,
    ca_file: state.ca_file,
    cert_file: account.cert_file,
    key_file: account.key_file,
  };
}
