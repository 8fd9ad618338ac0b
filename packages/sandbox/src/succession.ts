import { existsSync, readFileSync } from 'node:fs';

/** Why this process must end, or undefined: its folder is gone, or another process has replaced it. */
export function supersededBy(folder: string, stateFile: string, ownPid: number): string | undefined {
  if (!existsSync(folder)) return 'the folder is gone';
  try {
    const { pid } = JSON.parse(readFileSync(stateFile, 'utf8')) as { pid: number };
    return pid === ownPid ? undefined : `process ${pid} took over`;
  } catch {
    // The state file is missing or being written: no other process has taken over yet.
    return undefined;
  }
}
