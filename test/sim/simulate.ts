import { seededRandom } from '@namehold/base';
import { type Actor, race, register, remove, renew, restore } from './actions.ts';
import { checkBooks, checkMoney, checkNames, Disagreement } from './check.ts';
import { Model, type ModelName } from './model.ts';
import { openWorld, type World } from './world.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Nobody acts, and no jump ends, so close to a moment at which something happens by itself. */
const quietMs = 2 * hourMs;
const followRounds = 8;
const traceLength = 25;

export interface Simulation {
  readonly seed: number;
  readonly years: number;
}

export interface Simulated {
  readonly rounds: number;
  readonly acts: number;
}

/** Ten years of several resellers' lives with a handful of names, under faults, held against the model after every round. */
export async function simulate({ seed, years }: Simulation): Promise<Simulated> {
  const random = seededRandom(seed);
  const world = await openWorld(seed);
  const trace: string[] = [];
  let [rounds, acts] = [0, 0];
  try {
    const model = await newModel(world);
    const log = (sentence: string) => {
      acts += 1;
      trace.push(`round ${rounds} ${new Date(world.now()).toISOString()} ${sentence}`);
    };
    const end = world.now() + years * 365.25 * dayMs;
    for (; world.now() < end; rounds++) {
      await actRound({ world, model, log }, random);
      await checkRound(world, model, rounds);
      await pass(world, model, random);
    }
    await checkBooks(world, model);
    return { rounds, acts };
  } catch (error) {
    const why = error instanceof Disagreement ? error.message : String((error as Error).stack ?? error);
    const last = trace.slice(-traceLength).join('\n  ');
    throw new Error(`seed ${seed}, step ${acts} in round ${rounds}: ${why}\n  ${last}\nrepeat: SIM_SEEDS=${seed}`, {
      cause: error,
    });
  } finally {
    await world.t.stop();
  }
}

async function newModel(world: World): Promise<Model> {
  const names = ['com', 'com', 'com', 'cc', 'app', 'fr', 'fr'].map((tld, n) => `sim-${n}.${tld}`);
  const balances = new Map<string, bigint>();
  for (const trader of world.traders) {
    const { body } = await world.t.call('GET', '/v1/account/funds', { as: trader.credentials });
    balances.set(trader.resellerId, BigInt(String(body.balance.amount).replace('.', '')));
  }
  return new Model(names, balances);
}

async function actRound(actor: Actor, random: () => number): Promise<void> {
  const { world, model } = actor;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const isQuiet = (n: ModelName) => !nearBoundary(model, world.now(), n);
  const times = 1 + Math.floor(random() * 3);
  for (let n = 0; n < times; n++) {
    const name = pick(model.names);
    const dice = random();
    const years = 1 + Math.floor(random() * random() * 6);
    const [someone, other] = [pick(world.traders), pick(world.traders)];
    if (!isQuiet(name)) continue;
    // One in twelve asks for what cannot be had: the answer is no, and no money moves.
    const trader = dice < 1 / 12 ? someone : (name.owner ?? someone);
    if (name.state === 'free') {
      if (dice < 0.2 && someone !== other) await race(actor, someone, other, name);
      else await register(actor, someone, name, years);
    } else if (name.state === 'live') {
      if (dice < 0.55) await renew(actor, trader, name, years);
      else if (dice < 0.7) await remove(actor, trader, name);
      else if (dice < 0.75) await register(actor, someone, name, 1);
      else if (dice < 0.8) await restore(actor, trader, name);
    } else if (dice < 0.6) await restore(actor, trader, name);
    else if (dice < 0.8) await renew(actor, trader, name, years);
    else await register(actor, someone, name, 1);
  }
}

function nearBoundary(model: Model, now: number, only?: ModelName): boolean {
  const among = only ? new Model([], new Map()) : model;
  if (only) among.names.push(only);
  return among.boundaries().some(({ at }) => Math.abs(at - now) < quietMs);
}

async function checkRound(world: World, model: Model, round: number): Promise<void> {
  await checkNames(world, model, model.names);
  await checkMoney(world, model);
  if (round % 10 === 0) await checkBooks(world, model);
}

/** A jump of days, never over the days in which an unpaid name must be deleted; then the clockwork catches up. */
async function pass(world: World, model: Model, random: () => number): Promise<void> {
  const now = world.now();
  const days = random() < 0.3 ? 1 + random() * 4 : 8 + random() * 82;
  const latest = Math.min(
    ...model.boundaries().map((each) => (each.at > now ? each.latest : Number.POSITIVE_INFINITY)),
  );
  let target = Math.min(now + days * dayMs, latest);
  while (nearBoundary(model, target)) target += quietMs;
  await world.move(target - now);
  model.tick(world.now());
  for (let round = 1; ; round++) {
    await world.follow();
    await world.settle();
    const behind = await firstBehind(world, model);
    if (!behind) return;
    if (round === followRounds) throw behind;
  }
}

/** Faults hit the clockwork's questions too: it asks again in its next round. */
async function firstBehind(world: World, model: Model): Promise<Disagreement | undefined> {
  try {
    await checkNames(world, model, model.names);
    return undefined;
  } catch (error) {
    if (error instanceof Disagreement) return error;
    throw error;
  }
}
