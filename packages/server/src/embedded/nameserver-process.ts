import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isAlive } from '@namehold/postgres/embedded/alive';
import { openPrivateLog } from '@namehold/postgres/embedded/private-log';

/** State file of the nameserver, written once it answers. */
interface NameserverAt {
  readonly pid: number;
  readonly host: string;
  readonly port: number;
  /** Started by an operator with `namehold nameserver`: it is used and never stopped here. */
  readonly is_own: boolean;
}

export interface NameserverProcess {
  readonly at: NameserverAt;
  stop(): Promise<void>;
}

interface NameserverProcessSettings {
  readonly folder: string;
  readonly port: number;
  /** Passed in the environment, because it contains the database URL. */
  readonly settings: object;
  report(facts: object, sentence: string): void;
}

const startTimeoutMs = 60_000;
/** How long a start waits for it. */
const pollMs = 5;
const watchMs = 500;
const firstPauseMs = 500;
const maxPauseMs = 60_000;
/** A process that ran this long did not fail because of its settings. */
const soundMs = 60_000;

const program = fileURLToPath(new URL('../nameserver.ts', import.meta.url));

/** Runs the nameserver as a process and restarts it with a growing pause. It survives a killed service, and the next start uses it. */
export async function openNameserver(settings: NameserverProcessSettings): Promise<NameserverProcess> {
  mkdirSync(settings.folder, { recursive: true, mode: 0o700 });
  let at = readNameserver(settings.folder) ?? (await launch(settings, settings.port));
  let startedAt = performance.now();
  let pauseMs = firstPauseMs;
  let reviving: Promise<void> | undefined;
  const stopped = new AbortController();
  const revive = async () => {
    if (performance.now() - startedAt > soundMs) pauseMs = firstPauseMs;
    settings.report({ pause_ms: pauseMs }, 'nameserver exited; restarting');
    await sleep(pauseMs, undefined, { ref: false, signal: stopped.signal }).catch(() => undefined);
    pauseMs = Math.min(2 * pauseMs, maxPauseMs);
    if (stopped.signal.aborted) return;
    // Another service process may have restarted it already. The port stays the same for its clients.
    at = readNameserver(settings.folder) ?? (await launch(settings, at.port));
    startedAt = performance.now();
  };
  const watch = setInterval(() => {
    if (reviving || isAlive(at.pid, 'nameserver')) return;
    reviving = revive()
      .catch((error: unknown) => settings.report({ err: error }, 'nameserver not started'))
      .finally(() => {
        reviving = undefined;
      });
  }, watchMs).unref();
  return {
    get at() {
      return at;
    },
    async stop() {
      stopped.abort();
      clearInterval(watch);
      // Waits for a process that is starting, so that it is not left behind.
      await reviving;
      if (at.is_own || !isAlive(at.pid, 'nameserver')) return;
      process.kill(at.pid, 'SIGTERM');
      for (let waited = 0; isAlive(at.pid, 'nameserver') && waited < startTimeoutMs; waited += 20) await sleep(20);
    },
  };
}

/** The state of a live process; a file of a dead one is ignored. */
export function readNameserver(folder: string): NameserverAt | undefined {
  const path = join(folder, 'nameserver.json');
  if (!existsSync(path)) return undefined;
  try {
    const at = JSON.parse(readFileSync(path, 'utf8')) as NameserverAt;
    return isAlive(at.pid, 'nameserver') ? at : undefined;
  } catch {
    return undefined;
  }
}

async function launch(settings: NameserverProcessSettings, port: number): Promise<NameserverAt> {
  const logFile = join(settings.folder, 'nameserver.log');
  const log = openPrivateLog(logFile);
  // The folder on the command line identifies the process for users.
  const child = spawn(process.execPath, [program, settings.folder], {
    detached: true,
    stdio: ['ignore', log, log],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      NAMESERVER_SETTINGS: JSON.stringify({ ...settings.settings, port }),
    },
  });
  closeSync(log);
  let exit: number | string | undefined;
  child.once('exit', (code, signal) => {
    exit = code ?? signal ?? 'nothing';
  });
  child.unref();
  for (let waited = 0; waited < startTimeoutMs; waited += pollMs) {
    const at = readNameserver(settings.folder);
    if (at && at.pid === child.pid) return at;
    if (exit !== undefined) throw new Error(`the nameserver ended with ${exit}; see ${logFile}`);
    await sleep(pollMs);
  }
  child.kill();
  throw new Error(`the nameserver did not answer within ${startTimeoutMs} ms; see ${logFile}`);
}
