import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from '../faults/world.ts';
import { dayMs } from './calendar.ts';
import { readRegistered } from './facts.ts';
import { type Deposit, fund } from './fund.ts';
import { newOrder, type Order, place } from './order.ts';
import type { Boundary, Script, Step } from './script.ts';

/** What was asked for in a world so far; the judge starts from here. */
export interface Ledger {
  readonly openingCents: number;
  readonly orders: Order[];
  readonly deposits: Deposit[];
  /** Until when privacy was last seen to be paid for. */
  readonly privacyUntil: Map<string, number>;
  /** Of the script that is being played. */
  names: string[];
}

export interface Play {
  readonly world: World;
  readonly ledger: Ledger;
  readonly script: Script;
  /** Calls under way that nobody has waited for yet. */
  readonly pending: Promise<unknown>[];
}

let labels = 0;
export const freshNames = (script: Script): string[] =>
  script.tlds.map((tld) => `sim-${script.seed}-${(labels++).toString(36)}x.${tld}`);

/** Everything but `judge`. */
export async function carryOut(play: Play, step: Step): Promise<void> {
  if (step.afterMs) await sleep(step.afterMs);
  const { world, ledger } = play;
  switch (step.do) {
    case 'order':
      return order(play, step);
    case 'fault': {
      const { name, ...spec } = step.fault;
      world.tally.registryFaults += 1;
      if (spec.kind === 'held') world.tally.lateCommands += 1;
      const aimed = name === undefined ? spec : { ...spec, name: ledger.names[name] };
      const seed = play.script.seed % 1_000_000;
      const set = await world.control('POST', '/faults', { seed, client: 'namehold', ...aimed });
      if (set.error !== undefined) throw new Error(`the dial refused ${JSON.stringify(aimed)}: ${set.error}`);
      return;
    }
    case 'calm':
      await world.control('DELETE', '/faults');
      return;
    case 'silence':
      world.tally.registryFaults += 1;
      return silence(play);
    case 'move':
      return world.move(step.byS * 1_000);
    case 'move-to':
      return moveTo(world, ledger.names[step.name] ?? '', step.boundary, step.offsetS);
    case 'review':
      await world.control('POST', `/domains/${ledger.names[step.name]}/review`, { decision: step.decision });
      return;
    case 'fund':
      return fund(play, step);
    case 'wait':
      await sleep(step.ms);
      return;
    case 'judge':
      return;
    default:
      return accident(play, step);
  }
}

async function accident({ world }: Play, step: Step): Promise<void> {
  switch (step.do) {
    case 'kill':
      world.tally.kills += 1;
      await world.services[step.service]?.kill();
      return;
    case 'pause': {
      world.tally.pauses += 1;
      world.services[step.service]?.pause();
      await sleep(step.ms);
      world.services[step.service]?.resume();
      return;
    }
    case 'kill-database':
      world.tally.databaseDeaths += 1;
      await world.database.kill();
      return world.database.restart();
    case 'freeze-database':
      world.tally.databaseFreezes += 1;
      world.database.freeze();
      await sleep(step.ms);
      return world.database.thaw();
    case 'jump':
      world.tally.clockJumps += 1;
      world.services[step.service]?.shiftClock(step.byS * 1_000);
      return;
    default:
      throw new Error(`no such step: ${JSON.stringify(step)}`);
  }
}

const silenceMs = 1_500;

/** The registry stops in the middle of whatever it does, and goes on later; meanwhile the script goes on too. */
function silence({ world, pending }: Play): void {
  world.silenceRegistry();
  pending.push(sleep(silenceMs).then(() => world.wakeRegistry()));
}

async function order(play: Play, step: Step & { do: 'order' }): Promise<void> {
  const { world, ledger, script, pending } = play;
  // The registry's control answers nothing while it is silent.
  const name = ledger.names[step.name] ?? '';
  const wish = {
    verb: step.verb,
    name,
    years: step.years,
    withPrivacy: step.withPrivacy ?? false,
    via: step.via,
    key: `${name}-${script.seed}-${ledger.orders.length}`,
  };
  const made = await newOrder(world, wish);
  if (made === undefined) return;
  ledger.orders.push(made);
  pending.push(place(world, made));
  // Mostly the order is with the service when the next step comes, and sometimes it is not.
  await sleep(30);
}

/** `renewBy`: docs/guide/domain-states.md, five days before the end of the auto-renew grace. */
async function moveTo(world: World, name: string, boundary: Boundary, offsetS: number): Promise<void> {
  const there = await readRegistered(world, name);
  if (there === undefined) return;
  const grace = (kind: string) => there.graces.findLast((each) => each.kind === kind)?.endsAt;
  const date: Record<Boundary, string | null | undefined> = {
    add: grace('add'),
    renew: grace('renew'),
    autoRenew: grace('autoRenew'),
    expiry: there.expiresAt,
    renewBy: grace('autoRenew'),
    redemption: there.redemptionUntil,
    phase: there.phaseUntil,
  };
  const found = date[boundary];
  if (!found) return;
  const target = Date.parse(found) - (boundary === 'renewBy' ? 5 * dayMs : 0) + offsetS * 1_000;
  const byMs = target - (await world.now());
  if (byMs > 0) await world.move(byMs);
}
