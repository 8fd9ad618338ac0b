import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../alive.ts';

/** Told of each step that did not end the server in time. */
export type OnLate = (facts: { readonly part: string; readonly limit_ms: number }, text: string) => void;

/**
 * Signals of the postmaster. Fast: sessions end and a checkpoint is written. Immediate: all processes end at once, and the next start recovers from the
 * log, as after a crash.
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

/** Ends a server within about nine seconds, also one whose processes are suspended: those take no signal but SIGKILL. */
export async function stopServer(postmaster: number, dataFolder: string, onLate: OnLate = () => {}): Promise<void> {
  const hasEnded = async (limitMs: number) => {
    const endAt = performance.now() + limitMs;
    while (isAlive(postmaster, dataFolder)) {
      if (performance.now() > endAt) return false;
      await sleep(pollMs);
    }
    return true;
  };
  // Suspended (SIGSTOP): it takes no signal but SIGKILL, so that there is nothing to wait for.
  const isSuspended = stateOf(postmaster) === 'T';
  if (isSuspended)
    onLate({ part: 'embedded PostgreSQL', limit_ms: 0 }, 'PostgreSQL is suspended; its processes are killed');
  for (const { signal, limitMs, late } of isSuspended ? [] : steps) {
    send([postmaster], signal);
    if (await hasEnded(limitMs)) return;
    onLate({ part: 'embedded PostgreSQL', limit_ms: limitMs }, late);
  }
  // Its children have sessions of their own, so that no signal for a process group reaches them. They are listed while the postmaster cannot start more.
  send([postmaster], 'SIGSTOP');
  const children = childrenOf(postmaster);
  send([postmaster, ...children], 'SIGKILL');
  if (!(await hasEnded(killLimitMs))) throw new Error('PostgreSQL did not stop in time');
}

function send(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch (error) {
      // It ended by itself.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}

/** What stands behind the name of the program, which is in brackets and may hold blanks: its state, its parent and more. */
function statOf(pid: number): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
const stateOf = (pid: number) => statOf(pid)[0];

/** Where the system has no /proc, children end by themselves when they notice that the postmaster is gone. */
function childrenOf(pid: number): number[] {
  try {
    const all = readdirSync('/proc').filter((each) => /^\d+$/.test(each));
    return all.map(Number).filter((each) => statOf(each)[1] === String(pid));
  } catch {
    return [];
  }
}
