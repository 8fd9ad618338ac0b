import { url as inspectorUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

/** The number of checks within the limit. */
const checksPerLimit = 30;
/** Indexes in the memory that both threads share. */
export const watched = { ticks: 0, isDebugged: 1 } as const;
const heapMegabytes = 16;

/** The start parameters of the thread. */
export interface WatchdogStart {
  readonly shared: Int32Array;
  readonly limitMs: number;
  readonly checkMs: number;
  readonly logFd: number;
}

interface WatchdogOptions {
  /** The process exits when its event loop was blocked for this long. 0: no watchdog. */
  readonly limitMs: number;
  /** Where log lines go. Default: standard output. */
  readonly logFd?: number;
  /** Called when the thread itself fails. */
  readonly onError?: (error: Error) => void;
}

/**
 * Ends this process when its event loop is blocked, so that a supervisor restarts it. The main thread's stack is logged first. The limit
 * counts checks of the watchdog thread, not seconds: while the whole process is suspended there are none.
 */
export function startWatchdog({ limitMs, logFd = 1, onError }: WatchdogOptions): void {
  if (limitMs === 0) return;
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const checkMs = Math.max(1, Math.floor(limitMs / checksPerLimit));
  const tick = () => {
    // A debugger may pause the process for any time.
    Atomics.store(shared, watched.isDebugged, inspectorUrl() === undefined ? 0 : 1);
    Atomics.add(shared, watched.ticks, 1);
  };
  tick();
  setInterval(tick, checkMs).unref();
  const start: WatchdogStart = { shared, limitMs, checkMs, logFd };
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: start,
    // The name shown by `ps -T`.
    name: 'watchdog',
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    // Start options of the program, such as preloaded modules, do not apply to this thread.
    execArgv: [],
  });
  worker.on('error', (error) => onError?.(error as Error));
  worker.unref();
}
