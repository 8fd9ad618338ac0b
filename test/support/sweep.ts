import { readdirSync, readFileSync, rmSync } from 'node:fs';

const timeoutMs = 10_000;
const lookMs = 10;
const bell = new Int32Array(new SharedArrayBuffer(4));

/**
 * Ends all processes on these folders (registry and nameserver outlive their service intentionally) and removes the folders after the
 * last of them is gone, because it would still write into them. Synchronous, for processes that are stopped at once.
 */
export function sweep(folders: readonly string[]): void {
  for (let waited = 0; killOn(folders) && waited < timeoutMs; waited += lookMs) Atomics.wait(bell, 0, 0, lookMs);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** A process that has ended and was not yet reaped has no command line any more. */
function killOn(folders: readonly string[]): boolean {
  let found = false;
  for (const pid of readdirSync('/proc').filter((each) => /^\d+$/.test(each) && Number(each) !== process.pid)) {
    try {
      const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (!folders.some((folder) => commandLine.includes(folder))) continue;
      process.kill(Number(pid), 'SIGKILL');
      found = true;
    } catch {
      // It is gone.
    }
  }
  return found;
}
