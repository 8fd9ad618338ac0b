import { existsSync, readFileSync } from 'node:fs';

/**
 * Whether the process is alive and still the intended one. Process ids are reused after a restart of a machine or container, so the
 * command line must contain `mark`, if it is readable.
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
    // A zombie child of this process is not alive.
    if (/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return false;
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark);
  } catch {
    return false;
  }
}
