import { isReviewed } from '../oracle/graces.ts';
import type { Mode, OrderStep, Script, Step, Verb } from '../script.ts';
import { Dice } from './dice.ts';
import { drawAccidents } from './draw-accident.ts';
import { commandsOf, drawFaults } from './draw-faults.ts';
import { drawDefault, drawItsTime, drawMode } from './draw-mode.ts';
import { drawEnd, drawMove } from './draw-move.ts';
import { drawAnswers, drawOffers } from './draw-offer.ts';
import { drawConfirmations, drawRegistrants } from './draw-registrant.ts';
import { drawCode, drawDecision, drawForeign, drawRequested } from './draw-transfer.ts';

const tldChoice = ['com', 'com', 'com', 'org', 'app', 'fr', 'fr', 'shop', 'gem-*.shop', 'co.id', 'my.id'];
const patientEvery = 10;
const buyerChoice = [0, 0, 1, 2, 2];

/** The generator's assumptions about a domain, so that most orders make sense. A wrong one only gets an order refused at once. */
export interface Belief {
  readonly tld: string;
  /** `foreign`: at the other registrar. `asked`: with us, and requested by the other. */
  state: 'free' | 'live' | 'redemption' | 'foreign' | 'asked';
  mode: Mode;
  /** It is offered to another reseller. */
  isOffered: boolean;
  /** Its registrant has an address that must be confirmed. */
  hasRegistrant: boolean;
}

interface DrawOptions {
  readonly services?: number;
  /** Domains of one script run concurrently, because waiting takes most of the time. */
  readonly names?: number;
}

export function draw(seed: number, { services = 2, names = 5 }: DrawOptions = {}): Script {
  const dice = new Dice(seed);
  const tlds = Array.from({ length: names }, () => dice.pick(tldChoice));
  const buyers = tlds.map(() => dice.pick(buyerChoice));
  const beliefs: Belief[] = tlds.map((tld) => ({
    tld,
    state: 'free',
    mode: 'manual',
    isOffered: false,
    hasRegistrant: false,
  }));
  const steps: Step[] = [];
  if (dice.chance(0.15)) steps.push({ do: 'fault', fault: { kind: 'midnight-dates', commands: ['domain'] } });
  steps.push(...drawForeign(dice, beliefs), ...drawRegistrants(dice, beliefs));
  const isPatient = seed % patientEvery === 0;
  const rounds = dice.between(3, 5);
  for (let round = 0; round < rounds; round++) {
    if (dice.chance(0.12)) steps.push(drawFunds(dice));
    if (dice.chance(round === 0 ? 0.4 : 0.1)) steps.push(drawDefault(dice));
    steps.push(...drawRequested(dice, beliefs), ...drawOffers(dice, beliefs, buyers));
    steps.push(...drawRound(dice, beliefs, services, isPatient), { do: 'check' });
    if (round < rounds - 1 && dice.chance(0.6)) steps.push(drawMove(dice, dice.between(0, tlds.length - 1)));
  }
  return { seed, tlds, buyers, steps, ...(isPatient ? { isPatient } : {}) };
}

const drawFunds = (dice: Dice): Step => ({
  do: 'fund',
  count: dice.between(2, 6),
  debit: dice.chance(0.4),
  pauseAfterMs: dice.between(0, 60),
  jumpS: 200,
});

/** Faults, orders, time and accidents while they are open. */
function drawRound(dice: Dice, beliefs: Belief[], services: number, isPatient: boolean): Step[] {
  const steps: Step[] = [];
  const orders: OrderStep[] = [];
  const later: Step[] = [];
  for (const [name, belief] of beliefs.entries()) {
    if (name > 0 && dice.chance(0.3)) continue;
    const order = drawOrder(dice, belief, name, services);
    if (dice.chance(0.8)) steps.push(...drawFaults(dice, order.verb, name));
    orders.push(order);
    believe(belief, order.verb);
    later.push(...drawLater(dice, order, belief), ...drawDecision(dice, order, belief));
  }
  // The orders are placed within the seconds around the end of a grace period.
  if (dice.chance(0.3)) steps.push(drawEnd(dice, dice.pick(orders)));
  const { before, after } = drawAccidents(dice, orders, services, isPatient);
  steps.push(...before, ...orders);
  if (dice.chance(0.25)) steps.push({ do: 'holds' });
  steps.push(...drawAnswers(dice, beliefs), ...drawModes(dice, beliefs, services), ...later, ...after);
  steps.push(...drawConfirmations(dice, beliefs));
  const moded = beliefs
    .map(({ mode, state }, name) => ({ name, mode, state }))
    .filter(({ mode, state }) => mode !== 'manual' && state === 'live');
  if (moded.length > 0 && dice.chance(0.5)) {
    const { name, mode } = dice.pick(moded);
    steps.push(...drawItsTime(dice, name, mode));
  }
  if (dice.chance(0.7)) steps.push({ do: 'wait', ms: dice.between(500, 5_000) });
  return steps;
}

/** Renewal modes of some domains. */
function drawModes(dice: Dice, beliefs: Belief[], services: number): Step[] {
  return beliefs.flatMap((belief, name) => {
    if (belief.state !== 'live' || !dice.chance(0.3)) return [];
    const step = drawMode(dice, name, belief.tld, services);
    belief.mode = step.mode;
    return [step];
  });
}

function drawOrder(dice: Dice, belief: Belief, name: number, services: number): OrderStep {
  const verb = drawVerb(dice, belief);
  const withPrivacy = (verb === 'renew' || verb === 'register') && dice.chance(0.12);
  const isGuardShort = (verb === 'renew' || verb === 'register') && dice.chance(0.03);
  return {
    do: 'order',
    verb,
    name,
    years: dice.pick([1, 1, 1, 2, 3]),
    via: dice.between(0, services - 1),
    ...(withPrivacy ? { withPrivacy } : {}),
    ...(isGuardShort ? { isGuardShort } : {}),
    ...(verb === 'transfer' ? drawCode(dice) : {}),
  };
}

function drawVerb(dice: Dice, { state }: Belief): Verb {
  if (state === 'free') return 'register';
  if (state === 'redemption') return dice.chance(0.9) ? 'restore' : 'register';
  if (state === 'foreign') return dice.chance(0.95) ? 'transfer' : 'register';
  if (state === 'asked') return dice.pick(['approve', 'approve', 'reject', 'reject', 'renew', 'delete']);
  const roll = dice.between(1, 100);
  if (roll <= 40) return 'renew';
  if (roll <= 75) return 'delete';
  if (roll <= 83) return 'privacy';
  return dice.pick(['nameservers', 'contacts', 'lock', 'unlock', 'theft', 'hand-over', 'hand-over']);
}

function believe(belief: Belief, verb: Verb): void {
  if (verb === 'register' || verb === 'restore') belief.state = 'live';
  if (verb === 'transfer' || verb === 'reject') belief.state = 'live';
  if (verb === 'approve') belief.state = 'foreign';
  if (verb === 'delete' && belief.state === 'live') belief.state = 'redemption';
}

/** While it is open: queries are answered until the command was sent, and then no more; a report is lost; documents are reviewed. */
function drawLater(dice: Dice, { verb, name }: OrderStep, belief: Belief): Step[] {
  const steps: Step[] = [];
  const fault = (kind: string, commands: string[], more: object): Step => ({
    do: 'fault',
    fault: { kind, commands, name, ...more },
    afterMs: dice.between(0, 300),
  });
  if (dice.chance(0.3)) steps.push(fault('drop-before', ['domain:info'], {}));
  if (verb === 'restore' && dice.chance(0.4))
    steps.push(fault(dice.pick(['drop-before', 'drop-after-commit']), commandsOf(verb), { limit: 1 }));
  if (verb === 'register' && isReviewed(`.${belief.tld}`) && dice.chance(0.6)) {
    const decision = dice.pick(['approve', 'refuse', 'refuse'] as const);
    if (decision === 'refuse') belief.state = 'free';
    steps.push({ do: 'review', name, decision, afterMs: dice.between(0, 500) });
  }
  return steps;
}
