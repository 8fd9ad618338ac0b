import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../support/ports.ts';
import { program } from '../../support/program.ts';
import { resume, suspend } from '../../support/suspend.ts';

/** The code under test; another checkout to test the oracle itself. */
const other = process.env.WORLD_CODE;
const root = other ?? fileURLToPath(new URL('../../../', import.meta.url));
const main = other ? 'packages/server/src/main.ts' : program;
const shiftedClock = fileURLToPath(new URL('./shifted-clock.ts', import.meta.url));
const startLimitMs = 300_000;
/** A command that takes longer is ended; its code is then null. */
const commandLimitMs = 300_000;

/** One process of the service, with a wall clock of its own. */
export interface ServiceProcess {
  readonly index: number;
  readonly baseUrl: string;
  readonly isAlive: boolean;
  readonly isPaused: boolean;
  start(): Promise<void>;
  kill(): Promise<void>;
  pause(): void;
  resume(): void;
  /** Shifts the wall clock of this process. */
  shiftClock(byMs: number): void;
}

export async function newServiceProcess(
  index: number,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const port = await freePort();
  const clockFile = join(folder, `wall-${index}`);
  let child: ChildProcess | undefined;
  let exit: Promise<void> = Promise.resolve();
  let paused = false;
  const isAlive = () => child !== undefined && child.exitCode === null && child.signalCode === null;

  async function start(): Promise<void> {
    if (isAlive()) return;
    const started = spawn(process.execPath, ['--import', shiftedClock, main, 'serve'], {
      cwd: root,
      env: { ...env, NAMEHOLD_PORT: String(port), NAMEHOLD_DATA_DIR: folder, WORLD_CLOCK_FILE: clockFile },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    running.add(started);
    started.once('exit', () => running.delete(started));
    const gone = Promise.withResolvers<void>();
    started.once('exit', () => gone.resolve());
    exit = gone.promise;
    let output = '';
    const keep = (chunk: Buffer) => {
      output = `${output}${chunk.toString()}`.slice(-20_000);
      if (process.env.WORLD_LOG) process.stderr.write(chunk);
    };
    started.stdout?.on('data', keep);
    started.stderr?.on('data', keep);
    for (let waited = 0; !output.includes('Namehold is running'); waited += 20) {
      if (!isAlive() || waited > startLimitMs) throw new Error(`service ${index} did not start: ${output}`);
      await sleep(20);
    }
  }

  return {
    index,
    baseUrl: `http://127.0.0.1:${port}`,
    get isAlive() {
      return isAlive();
    },
    get isPaused() {
      return paused;
    },
    start,
    async kill() {
      paused = false;
      child?.kill('SIGKILL');
      await exit;
    },
    pause() {
      if (!isAlive()) return;
      paused = true;
      if (child?.pid) suspend(child.pid);
    },
    resume() {
      paused = false;
      if (child?.pid) resume(child.pid);
    },
    shiftClock(byMs) {
      writeFileSync(clockFile, String(byMs));
    },
  };
}

const running = new Set<ChildProcess>();

/** For a stop in the middle: an abandoned service would run for ever and restart its parts. */
export function killServices(): void {
  for (const each of running) each.kill('SIGKILL');
}

/** Runs an operator command (`namehold verify`) as a process beside the services. */
export function runCommand(
  folder: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: root,
    env: { ...env, NAMEHOLD_DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: commandLimitMs,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return new Promise((resolve) => child.once('exit', (code) => resolve({ code, output })));
}
