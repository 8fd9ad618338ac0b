import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { binariesIn } from '@namehold/postgres/embedded/binaries';
import { ensureDatabase, openCluster } from '@namehold/postgres/embedded/cluster';
import pg from 'pg';
import { readConfig } from '../../packages/server/src/config.ts';
import type { AppContext } from '../../packages/server/src/core/app-context.ts';
import type { Credentials } from '../../packages/server/src/embedded/data-folder.ts';
import { readState, type SandboxState } from '../../packages/server/src/embedded/sandbox-process.ts';
import { createLogger } from '../../packages/server/src/logger.ts';
import { openParts } from '../../packages/server/src/parts.ts';
import { freePort } from '../../test/support/ports.ts';

/** The service as in production: a separate process beside PostgreSQL and the sandbox registry; the bench only sends requests. */
export interface Stage {
  readonly ctx: AppContext;
  readonly databaseUrl: string;
  readonly credentials: Credentials;
  readonly registry: () => SandboxState;
  /** `reseller:key` */
  readonly operator: string;
  /** Restarts the measurement of the longest tick of its main thread; only with `stallMeter`. */
  watchStalls(): void;
  /** In milliseconds of processor time. */
  worstTurnMs(): number;
  call(as: string, method: string, path: string, options?: CallOptions): Promise<Called>;
  /** Starts a further process on the same database and returns its address. */
  another(): Promise<string>;
  pids(): number[];
  /** To all processes of the service. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  stop(): Promise<void>;
}

interface CallOptions {
  readonly form?: Record<string, string>;
  readonly json?: object;
  readonly headers?: Record<string, string>;
  readonly limitMs?: number;
  /** Of another process than the first. */
  readonly at?: string;
}

interface Called {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a bench reads whatever the answer holds
  readonly body: any;
  readonly retryAfter: string | null;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const startLimitMs = 120_000;
const callLimitMs = 120_000;

interface StageOptions {
  readonly stallMeter?: boolean;
  readonly countStatements?: boolean;
  /** The folder of another PostgreSQL's programs than the embedded one. */
  readonly postgres?: string | undefined;
  /** Of PostgreSQL. */
  readonly settings?: Readonly<Record<string, string>>;
}

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'namehold-bench-'));
  const counting = { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track': 'top' };
  const settings = { max_connections: '200', ...options.settings, ...(options.countStatements ? counting : {}) };
  const binaries = options.postgres === undefined ? {} : { binaries: binariesIn(options.postgres) };
  const cluster = await openCluster({ folder: join(folder, 'postgres'), settings, ...binaries });
  await ensureDatabase(cluster, 'namehold');
  await ensureDatabase(cluster, 'sandbox');
  if (options.countStatements) await flushNothing(cluster.url('sandbox'));
  const env = {
    NAMEHOLD_DATA_DIR: join(folder, 'data'),
    DATABASE_URL: cluster.url('namehold'),
    NAMEHOLD_SANDBOX_DATABASE_URL: cluster.url('sandbox'),
    NAMEHOLD_PORT: '0',
    NAMEHOLD_SANDBOX_PORT: '0',
    NAMEHOLD_DNS_PORT: 'off',
    NAMEHOLD_PRIMARY_PORT: '0',
    NAMEHOLD_REDIRECT_PORT: 'off',
    NAMEHOLD_SANDBOX_SMTP_PORT: 'off',
    NAMEHOLD_LOG_LEVEL: 'error',
    // With more processes than cores an order takes longer than the usual wait, and is then answered with 202.
    NAMEHOLD_WAIT_MS: '30000',
    NAMEHOLD_RATE_LIMIT_PER_MINUTE: '10000000',
    NAMEHOLD_COST_LIMIT_PER_MINUTE: '10000000',
    NAMEHOLD_ADDRESS_RATE_LIMIT_PER_MINUTE: '10000000',
  };
  const stallFile = join(folder, 'stall');
  const child = await startProcess(options.stallMeter ? { ...env, STALL_FILE: stallFile } : env);
  const children = [child];
  const config = readConfig(env);
  const parts = await openParts(config, createLogger('error'));
  const credentials = parts.folder.readCredentials()!;
  const registry = () => readState(parts.folder.file('sandbox'))!;
  return {
    ctx: parts.ctx,
    databaseUrl: cluster.url('namehold'),
    credentials,
    registry,
    operator: `${credentials.operator.reseller_id}:${credentials.operator.api_key}`,
    watchStalls: () => void child.kill('SIGUSR2'),
    worstTurnMs: () => (existsSync(stallFile) ? Number(readFileSync(stallFile, 'utf8')) : 0),
    call: (as, method, path, options) => call(options?.at ?? credentials.base_url, as, method, path, options),
    async another() {
      const port = await freePort();
      children.push(await startProcess({ ...env, NAMEHOLD_PORT: String(port) }));
      return `http://127.0.0.1:${port}`;
    },
    pids: () => children.map(({ pid }) => pid!),
    signal: (signal) => void children.map((each) => each.kill(signal)),
    async stop() {
      await parts.close();
      await Promise.all(children.map(ended));
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function ended(child: ChildProcess): Promise<unknown> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  return gone;
}

/** If flushes are counted, those of the registry's own database must not be included. */
async function flushNothing(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('alter database sandbox set synchronous_commit = off');
  await client.end();
}

async function startProcess(env: Record<string, string>): Promise<ChildProcess> {
  const profiled = process.env.BENCH_PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_PROFILE}`] : [];
  const meter = new URL('../../test/support/event-loop-block-meter.ts', import.meta.url).href;
  const metered = env.STALL_FILE ? ['--import', meter] : [];
  const child = spawn(process.execPath, [...profiled, ...metered, 'packages/server/src/main.ts', 'serve'], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // A failing bench must not leave a service behind.
  process.once('exit', () => child.kill('SIGTERM'));
  process.once('SIGTERM', () => process.exit(143));
  let output = '';
  child.stdout!.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  for (let waited = 0; !output.includes('Namehold is running'); waited += 50) {
    if (child.exitCode !== null || waited > startLimitMs) throw new Error(`the service did not start: ${output}`);
    await sleep(50);
  }
  return child;
}

async function call(
  url: string,
  as: string,
  method: string,
  path: string,
  { form, json, headers: more, limitMs }: CallOptions = {},
): Promise<Called> {
  const headers: Record<string, string> = { Authorization: `Basic ${Buffer.from(as).toString('base64')}`, ...more };
  let body: string | undefined;
  if (form) {
    headers['Content-Type'] = 'application/x-www-form-urlencoded';
    body = new URLSearchParams(form).toString();
  } else if (json) {
    headers['Content-Type'] = 'application/json';
    body = JSON.stringify(json);
  }
  const signal = AbortSignal.timeout(limitMs ?? callLimitMs);
  const response = await fetch(`${url}${path}`, { method, headers, signal, ...(body === undefined ? {} : { body }) });
  return { status: response.status, body: await response.json(), retryAfter: response.headers.get('retry-after') };
}
