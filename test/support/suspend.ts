import { readdirSync, readFileSync } from 'node:fs';

const limitMs = 300_000;
const lookMs = 1;
const bell = new Int32Array(new SharedArrayBuffer(4));

/**
 * Suspends processes, and returns when all their threads have stopped. SIGSTOP alone takes effect when a thread runs next: on a busy
 * machine it can finish its work before. Synchronous, so that nothing of the test runs in between.
 */
export function suspend(...pids: readonly number[]): void {
  for (const pid of pids) sendSignal(pid, 'SIGSTOP');
  for (let waited = 0; !pids.every(hasStopped); waited += lookMs) {
    if (waited > limitMs) throw new Error(`processes ${pids.join(', ')} do not stop`);
    Atomics.wait(bell, 0, 0, lookMs);
  }
}

export function resume(...pids: readonly number[]): void {
  for (const pid of pids) sendSignal(pid, 'SIGCONT');
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended on its own.
  }
}

/** Suspended (T), or ended: gone, or not yet reaped (Z, X). */
function hasStopped(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).every((thread) => /\) [TZX] /.test(stateOf(pid, thread)));
  } catch {
    return true;
  }
}

function stateOf(pid: number, thread: string): string {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
  } catch {
    return ') X ';
  }
}
