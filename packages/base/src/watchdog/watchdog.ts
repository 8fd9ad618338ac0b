import { url as inspectorUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

/** The thread looks so many times within the limit. */
const looksPerLimit = 30;
/** Places in the memory that both threads share. */
export const watched = { turns: 0, isDebugged: 1 } as const;
const heapMegabytes = 16;

/** What the thread is started with. */
export interface WatchdogStart {
  readonly shared: Int32Array;
  readonly limitMs: number;
  readonly lookMs: number;
  readonly logFd: number;
}

export interface WatchdogOptions {
  /** The process ends when its main thread has not turned for this long. 0: no watchdog. */
  readonly limitMs: number;
  /** Where log lines go. Default: standard output. */
  readonly logFd?: number;
  /** The thread itself could not run. */
  readonly onError?: (error: Error) => void;
}

/**
 * Ends this process when its event loop is blocked: a supervisor starts it again, and nobody can be answered meanwhile. The main thread's stack is logged
 * first. Counted are looks of the watching thread, not seconds: a process that was suspended as a whole had none.
 */
export function startWatchdog({ limitMs, logFd = 1, onError }: WatchdogOptions): void {
  if (limitMs === 0) return;
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const lookMs = Math.max(1, Math.floor(limitMs / looksPerLimit));
  const turn = () => {
    // Whoever debugs the process may hold it for as long as it takes.
    Atomics.store(shared, watched.isDebugged, inspectorUrl() === undefined ? 0 : 1);
    Atomics.add(shared, watched.turns, 1);
  };
  turn();
  setInterval(turn, lookMs).unref();
  const start: WatchdogStart = { shared, limitMs, lookMs, logFd };
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: start,
    // As `ps -T` shows it.
    name: 'watchdog',
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    // What the program was started with (a preloaded module) is not for this thread.
    execArgv: [],
  });
  worker.on('error', (error) => onError?.(error as Error));
  worker.unref();
}
