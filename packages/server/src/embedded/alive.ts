import { existsSync, readFileSync } from 'node:fs';

/**
 * Is this process there, and is it still the one that was meant? After a restart of a machine or a container the same number
 * often belongs to another program, so the command line must hold `mark` where the system lets us read it.
 */
export function isAlive(pid: number, mark: string): boolean {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  if (!existsSync('/proc/self/stat')) return true;
  try {
    // A child of ours that ended but was not yet reaped is not alive.
    if (/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return false;
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark);
  } catch {
    return false;
  }
}
