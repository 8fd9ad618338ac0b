import { existsSync, readFileSync } from 'node:fs';

/** Why this process should end by itself, or undefined: its folder is gone, or another one has taken its place. */
export function supersededBy(folder: string, stateFile: string, ownPid: number): string | undefined {
  if (!existsSync(folder)) return 'the folder is gone';
  try {
    const { pid } = JSON.parse(readFileSync(stateFile, 'utf8')) as { pid: number };
    return pid === ownPid ? undefined : `process ${pid} took over`;
  } catch {
    // No state file, or somebody is writing one: nobody has taken over yet.
    return undefined;
  }
}
