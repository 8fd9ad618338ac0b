import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const draftName = /^\.namehold-backup-(\d+)-/;

/**
 * The draft is beside the target and not in a temporary folder, because it contains a copy of the master key. Drafts of dead processes
 * are removed first.
 */
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
    // A process of another user counts too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Runs cancellable work: on a signal it stops at its next step and cleans up. */
export async function untilInterrupted<T>(work: (ended: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  const end = (signal: NodeJS.Signals) =>
    interruption.abort(new Error(`interrupted by ${signal}; incomplete files were removed`));
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, end);
  try {
    return await work(interruption.signal);
  } catch (error) {
    interruption.signal.throwIfAborted();
    throw error;
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}
