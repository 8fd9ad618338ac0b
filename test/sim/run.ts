import { openWorld, sweepAll, type World, type WorldOptions } from '../faults/world.ts';
import { draw } from './draw.ts';
import { readBalance } from './facts.ts';
import { Disagreement, judge } from './judge.ts';
import { carryOut, freshNames, type Ledger, type Play } from './player.ts';
import { loadPrices } from './price-table.ts';
import { printed, type Script } from './script.ts';
import { settle } from './settle.ts';
import { smaller } from './shrink.ts';

export interface Ground {
  readonly world: World;
  readonly ledger: Ledger;
}

export async function openGround(options: WorldOptions = {}): Promise<Ground> {
  const world = await openWorld({ services: 2, ...options });
  try {
    await loadPrices(world);
    const { available } = await readBalance(world);
    return { world, ledger: { openingCents: available, orders: [], deposits: [], privacyUntil: new Map(), names: [] } };
  } catch (error) {
    await world.dispose();
    throw error;
  }
}

export interface Played {
  readonly failure?: Disagreement;
  readonly slowestMs: number;
  /** From the end of the faults to the end of the last operation, each time that the judge was called. */
  readonly settlementsMs: readonly number[];
  readonly orders: number;
  readonly deposits: number;
}

/** Plays a script on names of its own. Faults of the machinery around it are thrown; what the judge finds is told. */
export async function playScript({ world, ledger }: Ground, script: Script): Promise<Played> {
  ledger.names = freshNames(script);
  const play: Play = { world, ledger, script, pending: [] };
  const before = { orders: ledger.orders.length, deposits: ledger.deposits.length };
  const settlementsMs: number[] = [];
  const played = () => ({
    slowestMs: Math.max(0, ...settlementsMs),
    settlementsMs,
    orders: ledger.orders.length - before.orders,
    deposits: ledger.deposits.length - before.deposits,
  });
  try {
    for (const step of [...script.steps, { do: 'judge' } as const]) {
      if (step.do !== 'judge') {
        await carryOut(play, step);
        continue;
      }
      settlementsMs.push((await settle(play)).slowestMs);
      await judge(play);
    }
    return played();
  } catch (error) {
    await Promise.allSettled(play.pending);
    if (error instanceof Disagreement) return { failure: error, ...played() };
    throw error;
  }
}

/** After a disagreement: the same world with a clean sheet, if everything in it has come to rest; else none. */
async function cleared({ world, ledger }: Ground): Promise<Ground | undefined> {
  try {
    await settle({ world, ledger, script: { seed: 0, tlds: [], steps: [] }, pending: [] });
    const { available, held } = await readBalance(world);
    if (held === 0)
      return {
        world,
        ledger: { openingCents: available, orders: [], deposits: [], privacyUntil: new Map(), names: [] },
      };
  } catch (error) {
    if (!(error instanceof Disagreement)) throw error;
  }
  await world.dispose();
  return undefined;
}

/** Who ends the run early must leave nothing behind. */
const stopOnSignal = () => {
  const stop = () => {
    sweepAll();
    process.exit(1);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  return () => {
    process.off('SIGTERM', stop);
    process.off('SIGINT', stop);
  };
};

export function* drawn(seeds: Iterable<number>): Generator<Script> {
  for (const seed of seeds) yield draw(seed);
}

/** Plays scripts on one ground after another; a failure is made small before it is told. */
export async function* playScripts(scripts: Iterable<Script>, options: { shrinkRuns?: number } = {}) {
  let ground: Ground | undefined;
  let played = 0;
  const listenNoMore = stopOnSignal();
  try {
    for (const script of scripts) {
      const { seed } = script;
      ground ??= await openGround();
      const result = await playScript(ground, script);
      played += 1;
      if (result.failure === undefined || options.shrinkRuns === undefined) {
        yield { seed, script, ...result, ground };
      }
      if (result.failure !== undefined) ground = await cleared(ground);
      if (played % seedsPerGround === 0) {
        await ground?.world.dispose();
        ground = undefined;
      }
      if (result.failure !== undefined && options.shrinkRuns !== undefined) {
        console.error(`seed ${seed} fails: ${result.failure.message}\n${printed(script)}`);
        const small = await smaller(script, options.shrinkRuns);
        throw new Error(
          `seed ${seed}: ${result.failure.message}\nmade small in ${small.runs} runs: ${printed(small.script)}\nrepeat: SIM_SEEDS=${seed}`,
        );
      }
    }
  } finally {
    listenNoMore();
    await ground?.world.dispose();
  }
}

const seedsPerGround = 25;
