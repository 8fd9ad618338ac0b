import { openWorld, type World, type WorldOptions } from '../faults/world.ts';
import { Disagreement } from './disagreement.ts';
import { readBalance, StatementReader } from './facts.ts';
import { judge } from './judge.ts';
import type { Ledger } from './player.ts';
import type { Script } from './script.ts';
import { settle } from './settle.ts';
import { openChain, type Trader } from './traders.ts';

/** A world with the judge's prices, resellers one below the other, and a ledger of what was asked for. */
export interface Ground {
  readonly world: World;
  readonly ledger: Ledger;
  readonly isPatient: boolean;
}

/** A lease is written anew in a quarter of its length, and that flushes whatever was committed before: here not so soon. */
const patience: WorldOptions = { replyTimeoutMs: 12_000, leaseMs: 6_000 };

export async function openGround(isPatient = false, options: WorldOptions = {}): Promise<Ground> {
  const world = await openWorld({ services: 2, ...(isPatient ? patience : {}), ...options });
  try {
    return { world, ledger: await newLedger(world, await openChain(world)), isPatient };
  } catch (error) {
    await world.dispose();
    throw error;
  }
}

async function newLedger(world: World, chain: readonly Trader[]): Promise<Ledger> {
  const balances = await Promise.all(chain.map((trader) => readBalance(world, trader)));
  return {
    chain,
    opening: balances.map(({ available }) => available),
    statement: new StatementReader(),
    orders: [],
    deposits: [],
    privacyUntil: new Map(),
    names: [],
  };
}

/** A world in which this script can be played: the one at hand, or else a new one in its place. */
export async function groundFor(
  { isPatient = false }: Script,
  ground: Ground | undefined,
  open: typeof openGround,
): Promise<Ground> {
  if (ground?.isPatient === isPatient) return ground;
  await ground?.world.dispose();
  return open(isPatient);
}

/** After a disagreement: the same world from here on, where all is at rest and its books agree; else none, and it is gone. */
export async function cleanSheet({ world, ledger, isPatient }: Ground): Promise<Ground | undefined> {
  try {
    const script = { seed: 0, tlds: [], steps: [] };
    await settle({ world, ledger, script, pending: [] });
    const clean = await newLedger(world, ledger.chain);
    await judge({ world, ledger: clean, script, pending: [] }, { booksWaitMs: 0 });
    return { world, ledger: clean, isPatient };
  } catch (error) {
    await world.dispose();
    if (error instanceof Disagreement) return undefined;
    throw error;
  }
}
