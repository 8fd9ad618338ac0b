import { setTimeout as sleep } from 'node:timers/promises';
import { quieten } from './choose-mode.ts';
import { Disagreement } from './oracle/disagreement.ts';
import { runOracle } from './oracle/oracle.ts';
import { carryOut, freshNames, type Play } from './player.ts';
import type { Script, Step } from './script.ts';
import { settle } from './settle.ts';
import type { Ground } from './worlds.ts';

interface Played {
  readonly failure?: Disagreement;
  /** For each finished order: the time since the end of the faults. */
  readonly settlementsMs: readonly number[];
  readonly orders: number;
  readonly deposits: number;
  readonly spent: Spent;
}

/** The time per phase, in milliseconds. */
interface Spent {
  playing: number;
  settling: number;
  judging: number;
}

/** Runs a script on its own domains. Errors of the environment are thrown; findings of the oracle are returned. */
export async function playScript({ installation, ledger }: Ground, script: Script): Promise<Played> {
  ledger.names = freshNames(script);
  const play: Play = { installation, ledger, script, pending: [] };
  const before = { orders: ledger.orders.length, deposits: ledger.deposits.length };
  const spent: Spent = { playing: 0, settling: 0, judging: 0 };
  const played = () => {
    const orders = ledger.orders.slice(before.orders);
    return {
      settlementsMs: orders.flatMap(({ settledMs }) => (settledMs === undefined ? [] : [settledMs])),
      orders: orders.length,
      deposits: ledger.deposits.length - before.deposits,
      spent,
    };
  };
  try {
    for (const step of [...script.steps, { do: 'check' } as const]) await withinLimit(play, step, spent);
    await quieten(play);
    return played();
  } catch (error) {
    await Promise.race([Promise.allSettled(play.pending), sleep(pendingLimitMs)]);
    if (error instanceof Disagreement) return { failure: error, ...played() };
    throw error;
  }
}

export const describeSpent = (spent: Spent): string =>
  Object.entries(spent)
    .map(([on, ms]) => `${on} ${Math.round(ms / 1_000)} s`)
    .join(', ');

const pendingLimitMs = 300_000;
/** More than all limits of settling and checking together. */
const stepLimitMs = 1_500_000;

/** A hung installation ends here with its position. */
async function withinLimit(play: Play, step: Step, spent: Spent): Promise<void> {
  const ended = new AbortController();
  const tooLong = sleep(stepLimitMs, undefined, { signal: ended.signal }).then(() => {
    throw new Error(
      `seed ${play.script.seed}: the installation hangs in ${JSON.stringify(step)} for ${stepLimitMs} ms`,
    );
  });
  tooLong.catch(() => undefined);
  try {
    const carriedOut =
      step.do === 'check' ? settleAndCheck(play, spent) : timed(spent, 'playing', carryOut(play, step));
    await Promise.race([tooLong, carriedOut]);
  } finally {
    ended.abort();
  }
}

const looksAtMost = 3;

/**
 * Background jobs continue during the checks, and a renewal that starts then holds money correctly. A hold that is left behind is
 * still there after everything has settled again.
 */
async function settleAndCheck(play: Play, spent: Spent): Promise<void> {
  for (let look = 1; ; look += 1) {
    await timed(spent, 'settling', settle(play));
    try {
      return await timed(spent, 'judging', runOracle(play));
    } catch (error) {
      if (!(error instanceof Disagreement) || error.matter !== 'hold' || look === looksAtMost) throw error;
      console.log(`seed ${play.script.seed}: ${error.message}; checked again after settling`);
    }
  }
}

async function timed(spent: Spent, on: keyof Spent, done: Promise<void>): Promise<void> {
  const started = performance.now();
  try {
    await done;
  } finally {
    spent[on] += performance.now() - started;
  }
}
