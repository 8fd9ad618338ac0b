import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './alive.ts';

/** Called for each step that did not end the server in time. */
export type OnLate = (facts: { readonly part: string; readonly limit_ms: number }, text: string) => void;

/**
 * Signals of the postmaster. Fast: ends sessions and writes a checkpoint. Immediate: ends all processes, and the next start recovers
 * from the WAL.
 */
const steps = [
  { signal: 'SIGINT', limitMs: 6_000, late: 'fast shutdown of PostgreSQL not finished; immediate shutdown follows' },
  {
    signal: 'SIGQUIT',
    limitMs: 1_000,
    late: 'immediate shutdown of PostgreSQL not finished; its processes are killed',
  },
] as const;
const killLimitMs = 2_000;
const pollMs = 20;

/** Ends a server within about nine seconds, also with suspended processes, which react only to SIGKILL. */
export async function stopServer(postmaster: number, dataFolder: string, onLate: OnLate = () => {}): Promise<void> {
  const hasEnded = async (limitMs: number, children: readonly number[] = []) => {
    const endAt = performance.now() + limitMs;
    while (isAlive(postmaster, dataFolder) || children.some(isInMemory)) {
      if (performance.now() > endAt) return false;
      await sleep(pollMs);
    }
    return true;
  };
  // A suspended process (SIGSTOP) reacts only to SIGKILL, so there is nothing to wait for.
  const isSuspended = stateOf(postmaster) === 'T';
  if (isSuspended)
    onLate({ part: 'embedded PostgreSQL', limit_ms: 0 }, 'PostgreSQL is suspended; its processes are killed');
  for (const { signal, limitMs, late } of isSuspended ? [] : steps) {
    send([postmaster], signal);
    if (await hasEnded(limitMs)) return;
    onLate({ part: 'embedded PostgreSQL', limit_ms: limitMs }, late);
  }
  // Children have sessions of their own, so no process group signal reaches them. They are listed while the postmaster cannot start more.
  send([postmaster], 'SIGSTOP');
  const children = childrenOf(postmaster);
  send([postmaster, ...children], 'SIGKILL');
  // A child that is still ending holds the shared memory, and the next start refuses it.
  if (!(await hasEnded(killLimitMs, children))) throw new Error('PostgreSQL did not stop in time');
}

function send(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch (error) {
      // The process has already ended.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}

/** The fields of /proc/PID/stat after the program name, which is in brackets and may contain spaces. */
function statOf(pid: number): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
const stateOf = (pid: number) => statOf(pid)[0];

/** A zombie (Z, X) has ended, and waits only for its parent to notice. */
const isInMemory = (pid: number) => !['Z', 'X', undefined].includes(stateOf(pid));

/** Without /proc, children end on their own when the postmaster is gone. */
function childrenOf(pid: number): number[] {
  try {
    const all = readdirSync('/proc').filter((each) => /^\d+$/.test(each));
    return all.map(Number).filter((each) => statOf(each)[1] === String(pid));
  } catch {
    return [];
  }
}
