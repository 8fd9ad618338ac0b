import { openWorld, type World, type WorldOptions } from '../faults/world.ts';
import { draw } from './draw.ts';
import { Disagreement, judge } from './judge.ts';
import { carryOut, freshNames, type Ledger, type Play } from './player.ts';
import { cents, loadPrices } from './price-table.ts';
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
    const { body } = await world.call('GET', '/v1/account/balance');
    return { world, ledger: { openingCents: cents(body.balance as string), orders: [], deposits: [], names: [] } };
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
}

/** Plays a script on names of its own. Faults of the machinery around it are thrown; what the judge finds is told. */
export async function playScript({ world, ledger }: Ground, script: Script): Promise<Played> {
  ledger.names = freshNames(script);
  const play: Play = { world, ledger, script, pending: [] };
  const before = ledger.orders.length;
  const settlementsMs: number[] = [];
  const played = () => ({
    slowestMs: Math.max(0, ...settlementsMs),
    settlementsMs,
    orders: ledger.orders.length - before,
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

/** Who ends the run early must leave nothing behind. */
const stopOnSignal = (ground: () => Ground | undefined) => {
  const stop = () => void Promise.resolve(ground()?.world.dispose()).finally(() => process.exit(1));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  return () => {
    process.off('SIGTERM', stop);
    process.off('SIGINT', stop);
  };
};

/** Plays seeds on one ground after another; a failure is made small before it is told. */
export async function* playSeeds(seeds: Iterable<number>, options: { shrinkRuns?: number } = {}) {
  let ground: Ground | undefined;
  let played = 0;
  const listenNoMore = stopOnSignal(() => ground);
  try {
    for (const seed of seeds) {
      ground ??= await openGround();
      const script = draw(seed);
      const result = await playScript(ground, script);
      played += 1;
      if (result.failure === undefined || options.shrinkRuns === undefined) {
        yield { seed, script, ...result, ground };
      }
      if (result.failure !== undefined || played % seedsPerGround === 0) {
        await ground.world.dispose();
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
