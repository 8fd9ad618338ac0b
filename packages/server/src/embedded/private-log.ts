import { fchmodSync, openSync } from 'node:fs';

/** For the output of a process beside the service: its owner alone reads it, also where an earlier release made it otherwise. */
export function openPrivateLog(path: string): number {
  const log = openSync(path, 'a', 0o600);
  fchmodSync(log, 0o600);
  return log;
}
