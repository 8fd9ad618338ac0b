import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareEnv } from '../support/bare-env.ts';
import { resume, suspend } from '../support/suspend.ts';
import { sweep } from '../support/sweep.ts';
import { type FragileDatabase, openFragileDatabase } from './world/database.ts';
import { killServices, newServiceProcess, runCommand, type ServiceProcess } from './world/service-process.ts';

export interface InstallationCall {
  /** 0: the connection was lost or no answer came in time. */
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds
  readonly body: any;
  /** Why there is no answer. */
  readonly error?: string;
}

/** The credentials of the caller. */
export interface Caller {
  readonly reseller_id: string;
  readonly api_key: string;
}

interface InstallationCallOptions {
  readonly form?: Record<string, string>;
  readonly json?: unknown;
  readonly headers?: Record<string, string>;
  /** Default: the demo account. */
  readonly as?: 'demo' | 'operator' | Caller;
  /** The process that is called. Default: the first one that runs. */
  readonly via?: number;
  readonly timeoutMs?: number;
}

/** The injected faults, for the record. */
export interface Tally {
  kills: number;
  pauses: number;
  databaseDeaths: number;
  databaseFreezes: number;
  clockJumps: number;
  clockMoves: number;
  registryFaults: number;
  lateCommands: number;
}

/**
 * A whole installation for fault injection: service processes with their own wall clocks, their database, a registry with
 * its own database, and one business clock. The methods of its parts inject faults; `heal` ends them all.
 */
export interface Installation {
  readonly services: readonly ServiceProcess[];
  readonly database: FragileDatabase;
  readonly tally: Tally;
  readonly folder: string;
  /** Settings of its service processes, except their ports. */
  readonly env: Readonly<Record<string, string>>;
  call(method: string, path: string, options?: InstallationCallOptions): Promise<InstallationCall>;
  /** The HTTP control API of the registry. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds
  control(method: string, path: string, json?: unknown): Promise<any>;
  /** Runs an operator command: `['verify']`. */
  command(args: readonly string[]): Promise<{ code: number | null; output: string }>;
  /** Business time, as the registry has it. */
  now(): Promise<number>;
  move(byMs: number): Promise<void>;
  silenceRegistry(): void;
  wakeRegistry(): void;
  /** All processes run, all clocks are right, no fault is active at the registry, every held command is delivered. */
  heal(): Promise<void>;
  dispose(): Promise<void>;
}

export interface InstallationOptions {
  readonly services?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly replyTimeoutMs?: number;
  readonly leaseMs?: number;
  /** Another kind of database for the service. */
  readonly openDatabase?: (folder: string, name: string) => Promise<FragileDatabase>;
}

const defaultTimeoutMs = 20_000;
/** Longer than the longest fault of the registry. */
const controlLimitMs = 300_000;

export async function openInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'namehold-world-'));
  const base = mkdtempSync(join(tmpdir(), 'namehold-world-pg-'));
  // The database runs as a separate user, which must be able to enter the folder.
  chmodSync(base, 0o711);
  for (const path of [folder, base]) openFolders.add(path);
  const [database, registryDatabase] = await Promise.all([
    (options.openDatabase ?? openFragileDatabase)(join(base, 'ours'), 'namehold'),
    openFragileDatabase(join(base, 'registry'), 'registry'),
  ]);
  const env = {
    ...bareEnv(),
    DATABASE_URL: database.url,
    NAMEHOLD_SANDBOX_DATABASE_URL: registryDatabase.url,
    NAMEHOLD_SANDBOX_PORT: '0',
    NAMEHOLD_DNS_PORT: 'off',
    NAMEHOLD_PRIMARY_PORT: 'off',
    NAMEHOLD_REDIRECT_PORT: 'off',
    NAMEHOLD_SANDBOX_SMTP_PORT: 'off',
    NAMEHOLD_LOG_LEVEL: process.env.WORLD_LOG ?? 'silent',
    NAMEHOLD_LEASE_MS: String(options.leaseMs ?? 2_000),
    NAMEHOLD_SANDBOX_REPLY_TIMEOUT_MS: String(options.replyTimeoutMs ?? 1_500),
    NAMEHOLD_WAIT_MS: '1500',
    NAMEHOLD_VERIFY_REGISTRANTS: 'off',
    NAMEHOLD_RATE_LIMIT_PER_MINUTE: '1000000',
    NAMEHOLD_COST_LIMIT_PER_MINUTE: '1000000',
    NAMEHOLD_ADDRESS_RATE_LIMIT_PER_MINUTE: '1000000',
    ...options.env,
  };
  const services: ServiceProcess[] = [];
  for (let index = 0; index < (options.services ?? 2); index++) {
    services.push(await newServiceProcess(index, folder, env));
  }
  const tally: Tally = {
    kills: 0,
    pauses: 0,
    databaseDeaths: 0,
    databaseFreezes: 0,
    clockJumps: 0,
    clockMoves: 0,
    registryFaults: 0,
    lateCommands: 0,
  };
  const installation = assemble({ folder, base, env, database, registryDatabase, services, tally });
  try {
    await services[0]?.start();
    await Promise.all(services.slice(1).map((service) => service.start()));
  } catch (error) {
    await installation.dispose();
    throw error;
  }
  return installation;
}

interface Parts {
  readonly folder: string;
  readonly base: string;
  readonly env: Readonly<Record<string, string>>;
  readonly database: FragileDatabase;
  readonly registryDatabase: FragileDatabase;
  readonly services: readonly ServiceProcess[];
  readonly tally: Tally;
}

interface RegistryState {
  readonly pid: number;
  readonly control_port: number;
}

function assemble({ folder, base, env, database, registryDatabase, services, tally }: Parts): Installation {
  const registry = () => JSON.parse(readFileSync(join(folder, 'sandbox', 'sandbox.json'), 'utf8')) as RegistryState;
  let silent: number | undefined;
  const wakeRegistry = () => {
    if (silent !== undefined) resume(silent);
    silent = undefined;
  };

  const installation: Installation = {
    services,
    database,
    tally,
    folder,
    env,
    call: (method, path, options = {}) => call(folder, services, method, path, options),
    async control(method, path, json) {
      const response = await fetch(`http://127.0.0.1:${registry().control_port}${path}`, {
        method,
        signal: AbortSignal.timeout(controlLimitMs),
        ...(json === undefined ? {} : { body: JSON.stringify(json), headers: { 'Content-Type': 'application/json' } }),
      });
      return response.json();
    },
    command: (args) => runCommand(folder, env, args),
    async now() {
      return Date.parse((await installation.control('GET', '/clock')).now as string);
    },
    async move(byMs) {
      tally.clockMoves += 1;
      const seconds = Math.round(byMs / 1_000);
      await installation.control('POST', '/clock', { move: `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}s` });
    },
    silenceRegistry() {
      silent = registry().pid;
      suspend(silent);
    },
    wakeRegistry,
    async heal() {
      wakeRegistry();
      database.thaw();
      await database.restart();
      for (const service of services) {
        service.shiftClock(0);
        if (service.isPaused) service.resume();
      }
      for (const service of services) await service.start();
      await installation.control('DELETE', '/faults');
      await installation.control('POST', '/held');
    },
    async dispose() {
      wakeRegistry();
      await Promise.all(services.map((service) => service.kill()));
      await Promise.all([database.dispose(), registryDatabase.dispose()]);
      close([folder, base]);
    },
  };
  return installation;
}

function close(folders: readonly string[]): void {
  sweep(folders);
  for (const folder of folders) openFolders.delete(folder);
}

const openFolders = new Set<string>();

/** For a stop in the middle of a run. */
export function sweepAll(): void {
  killServices();
  close([...openFolders]);
}

async function call(
  folder: string,
  services: readonly ServiceProcess[],
  method: string,
  path: string,
  options: InstallationCallOptions,
): Promise<InstallationCall> {
  const wanted = services[options.via ?? -1];
  const service = wanted ?? services.find((each) => each.isAlive && !each.isPaused) ?? services[0];
  const credentials = JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8'));
  const { as = 'demo' } = options;
  const { reseller_id, api_key }: Caller =
    typeof as === 'object' ? as : as === 'operator' ? credentials.operator : credentials;
  const headers: Record<string, string> = {
    Authorization: `Basic ${Buffer.from(`${reseller_id}:${api_key}`).toString('base64')}`,
    ...options.headers,
  };
  let body: string | undefined;
  if (options.form) {
    headers['Content-Type'] = 'application/x-www-form-urlencoded';
    body = new URLSearchParams(options.form).toString();
  } else if (options.json !== undefined) {
    headers['Content-Type'] = 'application/json';
    body = JSON.stringify(options.json);
  }
  try {
    const response = await fetch(`${service?.baseUrl}${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs),
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, body: await response.json() };
  } catch (error) {
    return { status: 0, body: undefined, error: String((error as Error).cause ?? error) };
  }
}
