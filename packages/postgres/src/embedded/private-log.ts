import { fchmodSync, openSync } from 'node:fs';

/** The log file of a child process, readable only by its owner. Earlier releases created it with another mode. */
export function openPrivateLog(path: string): number {
  const log = openSync(path, 'a', 0o600);
  fchmodSync(log, 0o600);
  return log;
}
