import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Credentials } from '../../packages/server/src/embedded/data-folder.ts';
import { readState } from '../../packages/server/src/embedded/sandbox-process.ts';
import { newServiceProcess, runCommand, type ServiceProcess } from '../faults/world/service-process.ts';
import { bareEnv } from './bare-env.ts';
import { bringCertificates } from './certificates.ts';
import { migratedDatabase, registryDatabase } from './database.ts';
import { program } from './program.ts';
import { projectRoot } from './service.ts';
import { sweep } from './sweep.ts';

export interface RealCall {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds
  readonly body: any;
}

/** Of a start, and of the way to a failpoint. */
const limitMs = 300_000;
const stallMeter = pathToFileURL(join(projectRoot, 'test/support/event-loop-block-meter.ts')).href;

/** The service as operators run it: a separate process, which tests may kill, on databases that outlive it. */
export class RealService {
  readonly folder = mkdtempSync(join(tmpdir(), 'namehold-process-'));
  readonly #env: Record<string, string>;
  readonly #drops: (() => Promise<void>)[];
  readonly databaseUrl: string;
  #child: ChildProcess | undefined;
  #exit: Promise<void> = Promise.resolve();

  private constructor(env: Record<string, string>, databaseUrl: string, drops: (() => Promise<void>)[]) {
    this.#env = env;
    this.databaseUrl = databaseUrl;
    this.#drops = drops;
  }

  static async create(env: Record<string, string> = {}): Promise<RealService> {
    const [database, sandbox] = [await migratedDatabase(), await registryDatabase()];
    const all = {
      ...bareEnv(),
      DATABASE_URL: database.url,
      NAMEHOLD_SANDBOX_DATABASE_URL: sandbox.url,
      NAMEHOLD_PORT: '0',
      NAMEHOLD_SANDBOX_PORT: '0',
      NAMEHOLD_DNS_PORT: 'off',
      NAMEHOLD_PRIMARY_PORT: '0',
      NAMEHOLD_REDIRECT_PORT: 'off',
      NAMEHOLD_SANDBOX_SMTP_PORT: 'off',
      NAMEHOLD_LOG_LEVEL: 'error',
      NAMEHOLD_LEASE_MS: '2000',
      NAMEHOLD_RATE_LIMIT_PER_MINUTE: '1000000',
      NAMEHOLD_COST_LIMIT_PER_MINUTE: '1000000',
      NAMEHOLD_ADDRESS_RATE_LIMIT_PER_MINUTE: '1000000',
      NAMEHOLD_VERIFY_REGISTRANTS: 'off',
      NAMEHOLD_SHED_WAIT_MS: '0',
      NAMEHOLD_SHED_MEMORY_MB: '0',
      ...env,
    };
    const service = new RealService(all, database.url, [database.drop, sandbox.drop]);
    await bringCertificates(service.folder);
    return service;
  }

  get credentials(): Credentials {
    return JSON.parse(readFileSync(join(this.folder, 'credentials.json'), 'utf8')) as Credentials;
  }

  /** Starts it and waits until it answers. `faults` names the failpoints at which it dies. */
  async start(faults: readonly string[] = []): Promise<void> {
    // A process without an owner would outlive the run and keep its output open.
    await this.kill();
    const child = spawn(process.execPath, ['--import', stallMeter, program, 'serve'], {
      cwd: projectRoot,
      env: {
        ...this.#env,
        STALL_FILE: join(this.folder, 'stall'),
        NAMEHOLD_DATA_DIR: this.folder,
        NAMEHOLD_TEST_FAULTS: faults.join(','),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    const { promise, resolve } = Promise.withResolvers<void>();
    child.once('exit', () => resolve());
    this.#exit = promise;
    let output = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    for (let waited = 0; !output.includes('Namehold is running'); waited += 25) {
      if (!this.isAlive || waited > limitMs) throw new Error(`the service did not start: ${output}`);
      await sleep(25);
    }
  }

  get isAlive(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number {
    return this.#child!.pid!;
  }

  /** Restarts the measurement of the longest tick, in milliseconds of processor time. */
  async watchStalls(): Promise<void> {
    rmSync(join(this.folder, 'stall'), { force: true });
    this.#child!.kill('SIGUSR2');
    for (let waited = 0; !existsSync(join(this.folder, 'stall')); waited += 5) {
      if (!this.isAlive || waited > limitMs) throw new Error('the service does not measure its ticks');
      await sleep(5);
    }
  }

  get worstTurnMs(): number {
    return Number(readFileSync(join(this.folder, 'stall'), 'utf8'));
  }

  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#exit;
  }

  /** Waits until it has died at a failpoint. */
  async died(): Promise<void> {
    const isLate = await Promise.race([this.#exit, sleep(limitMs, true, { ref: false })]);
    if (isLate) throw new Error('the service did not die: it has not reached its failpoint');
  }

  /** Status 0 means that the connection was lost, as when the process dies during a request. */
  async call(
    method: string,
    path: string,
    options: { form?: Record<string, string>; json?: unknown; headers?: Record<string, string> } = {},
  ): Promise<RealCall> {
    const { base_url, reseller_id, api_key } = this.credentials;
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
      const response = await fetch(`${base_url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
      return { status: response.status, body: await response.json() };
    } catch {
      return { status: 0, body: undefined };
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds
  async control(method: string, path: string, json?: unknown): Promise<any> {
    const state = readState(join(this.folder, 'sandbox'))!;
    const response = await fetch(`http://127.0.0.1:${state.control_port}${path}`, {
      method,
      ...(json === undefined ? {} : { body: JSON.stringify(json), headers: { 'Content-Type': 'application/json' } }),
    });
    return response.json();
  }

  /** Another process on the same database, in place of the one that `start` starts. */
  process(index: number): Promise<ServiceProcess> {
    return newServiceProcess(index, this.folder, this.#env);
  }

  /** Runs an operator command (`['verify']`) as a process beside the service. */
  namehold(args: readonly string[]): Promise<{ code: number | null; output: string }> {
    return runCommand(this.folder, this.#env, args);
  }

  async dispose(): Promise<void> {
    await this.kill();
    sweep([this.folder]);
    for (const drop of this.#drops) await drop();
  }
}
