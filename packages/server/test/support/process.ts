import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bareEnv } from '../../../../test/support/bare-env.ts';
import { program } from '../../../../test/support/program.ts';
import type { Credentials } from '../../src/embedded/data-folder.ts';
import { readNameserver } from '../../src/embedded/nameserver-process.ts';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The service as a process, as an operator runs it. */
export interface RunningService {
  readonly url: string;
  readonly folder: string;
  readonly credentials: Credentials;
  readonly pid: number;
  readonly exited: Promise<Exit>;
  output(): string;
  /** Sends a signal and waits for the exit. */
  end(signal?: NodeJS.Signals): Promise<Exit>;
}

interface ProcessOptions {
  readonly folder?: string;
  readonly env?: Record<string, string>;
  readonly uid?: number;
  readonly gid?: number;
  /** A checkout of the code, as for npm start. */
  readonly code?: string;
}

/** Free ports, so that copies run side by side. */
const quietPorts = {
  NAMEHOLD_PORT: '0',
  NAMEHOLD_SANDBOX_PORT: '0',
  NAMEHOLD_DNS_PORT: 'off',
  NAMEHOLD_PRIMARY_PORT: '0',
  NAMEHOLD_REDIRECT_PORT: 'off',
  NAMEHOLD_SANDBOX_SMTP_PORT: 'off',
};

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'namehold-process-'));
  // Created like the service does: secrets have mode 0600, and the database user may traverse.
  chmodSync(folder, 0o755);
  return folder;
}

export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

const started = new Map<ChildProcess, string | undefined>();

/** Ends everything after a failed test: services first, or they would restart their parts. */
process.once('exit', () => {
  for (const child of started.keys()) child.kill('SIGKILL');
  for (const folder of new Set(started.values())) if (folder) killParts(folder);
});

function killParts(folder: string): void {
  const sandbox = join(folder, 'sandbox', 'sandbox.json');
  const registry = existsSync(sandbox) ? (JSON.parse(readFileSync(sandbox, 'utf8')) as { pid: number }).pid : undefined;
  const nameserver = readNameserver(join(folder, 'nameserver'))?.pid;
  for (const pid of [registry, nameserver, postgresPid(folder)]) {
    if (pid === undefined || !isAlive(pid) || !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)) continue;
    process.kill(pid, 'SIGINT');
  }
}

export function spawnNamehold(args: string[], options: ProcessOptions): ChildProcess {
  const child = spawn(
    process.execPath,
    [options.code ? join(options.code, 'packages/server/src/main.ts') : program, ...args],
    {
      cwd: '/',
      // With the pipe of its wrapper.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.gid! }),
      env: {
        ...bareEnv(),
        ...quietPorts,
        ...(options.folder ? { NAMEHOLD_DATA_DIR: options.folder } : {}),
        ...options.env,
      },
    },
  );
  started.set(child, options.folder);
  return child;
}

const startLimitMs = 300_000;
const commandLimitMs = 600_000;

export async function startProcess(options: ProcessOptions = {}): Promise<RunningService> {
  const folder = options.folder ?? newFolder();
  const child = spawnNamehold(['serve'], { ...options, folder });
  let text = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (piece: Buffer) => {
      text += piece.toString();
    });
  let exit: Exit | undefined;
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      exit = { code, signal };
      resolve(exit);
    });
  });
  const file = join(folder, 'credentials.json');
  for (let waited = 0; !/Namehold is running at/.test(text); waited += 20) {
    if (exit) throw new Error(`the service ended with ${JSON.stringify(exit)}:\n${text}`);
    if (waited > startLimitMs) throw new Error(`the service did not start:\n${text}`);
    await sleep(20);
  }
  const credentials = JSON.parse(readFileSync(file, 'utf8')) as Credentials;
  return {
    url: credentials.base_url,
    folder,
    credentials,
    pid: child.pid!,
    exited,
    output: () => text,
    async end(signal = 'SIGTERM') {
      child.kill(signal);
      return exited;
    },
  };
}

interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the command tells
  readonly json: any;
}

/** Runs one command of `namehold`. */
export function runNamehold(args: string[], options: ProcessOptions): Promise<CommandResult> {
  const child = spawnNamehold(args, options);
  let stdout = '';
  let stderr = '';
  child.stdout!.on('data', (piece: Buffer) => {
    stdout += piece.toString();
  });
  child.stderr!.on('data', (piece: Buffer) => {
    stderr += piece.toString();
  });
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`namehold ${args.join(' ')} does not end:\n${stdout}${stderr}`));
    }, commandLimitMs);
    child.once('close', (code) => {
      clearTimeout(limit);
      let json: unknown;
      try {
        json = JSON.parse(stdout);
      } catch {
        json = undefined;
      }
      resolve({ code: code ?? -1, stdout, stderr, json });
    });
  });
}

export function demoOf(service: RunningService): string {
  return `${service.credentials.reseller_id}:${service.credentials.api_key}`;
}

/** The process id of the database on this data folder, if it runs. */
export function postgresPid(folder: string): number | undefined {
  const lock = join(folder, 'postgres', 'data', 'postmaster.pid');
  return existsSync(lock) ? Number(readFileSync(lock, 'utf8').split('\n')[0]) : undefined;
}

/** Names of the threads of a process. */
export const threadsOf = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/task`).map((thread) => readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8').trim());

export function isAlive(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && !/\) Z /.test(readFileSync(stat, 'utf8'));
}

export async function until(what: () => boolean | Promise<boolean>, limitMs = 600_000): Promise<void> {
  for (let waited = 0; !(await what()); waited += 20) {
    if (waited > limitMs) throw new Error('it did not happen');
    await sleep(20);
  }
}
