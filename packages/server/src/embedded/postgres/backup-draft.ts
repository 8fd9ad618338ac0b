import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const draftName = /^\.namehold-backup-(\d+)-/;

/** Beside the target, never in a folder for everybody: it holds a copy of the master key. What dead runs left there goes first. */
export function makeDraft(folder: string): string {
  for (const name of readdirSync(folder)) {
    const pid = draftName.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(folder, `.namehold-backup-${process.pid}-`));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another's process is one, too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Runs work that can be ended half way: asked to end, it stops at its next step and cleans up after itself. */
export async function untilInterrupted<T>(work: (ended: AbortSignal) => Promise<T>): Promise<T> {
  const asked = new AbortController();
  const end = (signal: NodeJS.Signals) =>
    asked.abort(new Error(`stopped by ${signal} before it was complete; the partial file was removed`));
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, end);
  try {
    return await work(asked.signal);
  } catch (error) {
    asked.signal.throwIfAborted();
    throw error;
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}
