import { seededRandom } from '@namehold/base';
import type { Aim, Boundary, Script, Step, Verb } from './script.ts';

const hourS = 3_600;
const dayS = 86_400;
/** Several lives at once: what costs time is waiting, and they wait together. */
const namesPerScript = 5;
const tldChoice = ['com', 'com', 'com', 'org', 'app', 'fr', 'fr', 'co.id', 'my.id'];

/** What the drawer believes of a name, so that most orders make sense. Being wrong only gets an order refused at the door. */
interface Belief {
  state: 'free' | 'live' | 'redemption';
  hasPrivacy: boolean;
}

class Dice {
  readonly #random: () => number;
  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }
  chance(share: number): boolean {
    return this.#random() < share;
  }
  between(low: number, high: number): number {
    return Math.floor(low + this.#random() * (high - low + 1));
  }
  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }
}

export function draw(seed: number, services = 2): Script {
  const dice = new Dice(seed);
  const tlds = Array.from({ length: namesPerScript }, () => dice.pick(tldChoice));
  const beliefs: Belief[] = tlds.map(() => ({ state: 'free', hasPrivacy: false }));
  const steps: Step[] = [];
  if (dice.chance(0.15)) steps.push({ do: 'fault', fault: { kind: 'midnight-dates', commands: ['domain'] } });
  const rounds = dice.between(3, 5);
  for (let round = 0; round < rounds; round++) {
    if (dice.chance(0.12)) steps.push(drawFunds(dice));
    steps.push(...drawRound(dice, beliefs, services), { do: 'judge' });
    if (round < rounds - 1 && dice.chance(0.6)) steps.push(drawMove(dice, dice.between(0, tlds.length - 1)));
  }
  return { seed, tlds, steps };
}

const drawFunds = (dice: Dice): Step => ({
  do: 'fund',
  count: dice.between(2, 6),
  debit: dice.chance(0.4),
  pauseAfterMs: dice.between(0, 60),
  jumpS: 200,
});

/** Trouble, one or two orders, time and accidents while they are open. */
function drawRound(dice: Dice, beliefs: Belief[], services: number): Step[] {
  const steps: Step[] = [];
  const orders: (Step & { do: 'order' })[] = [];
  for (const [name, belief] of beliefs.entries()) {
    if (name > 0 && dice.chance(0.3)) continue;
    const verb = drawVerb(dice, belief);
    if (dice.chance(0.8)) steps.push(...drawTrouble(dice, verb, name));
    const withPrivacy = (verb === 'renew' || verb === 'register') && dice.chance(0.12);
    orders.push({
      do: 'order',
      verb,
      name,
      years: dice.pick([1, 1, 1, 2, 3]),
      via: dice.between(0, services - 1),
      ...(withPrivacy ? { withPrivacy } : {}),
    });
    believe(belief, verb, withPrivacy);
  }
  steps.push(...orders);
  // Questions are answered until the command has left, and then no more.
  for (const { name } of orders) if (dice.chance(0.35)) steps.push(muted(name, dice.between(0, 500)));
  for (let times = dice.pick([0, 1, 1, 1, 2]); times > 0; times--) steps.push(drawAccident(dice, orders, services));
  if (dice.chance(0.7)) steps.push({ do: 'wait', ms: dice.between(500, 5_000) });
  return steps;
}

const muted = (name: number, afterMs: number): Step => ({
  do: 'fault',
  fault: { kind: 'drop-before', commands: ['domain:info'], name },
  afterMs,
});

function drawVerb(dice: Dice, { state, hasPrivacy }: Belief): Verb {
  if (state === 'free') return 'register';
  if (state === 'redemption') return dice.chance(0.9) ? 'restore' : 'register';
  const changes = ['nameservers', 'contacts', 'lock', 'unlock', 'theft'] as const;
  const roll = dice.between(1, 100);
  if (roll <= 40) return 'renew';
  // What becomes of privacy when a name is deleted is nowhere written.
  if (roll <= 75) return hasPrivacy ? 'renew' : 'delete';
  if (roll <= 83) return 'privacy';
  return dice.pick(changes);
}

function believe(belief: Belief, verb: Verb, withPrivacy: boolean): void {
  if (verb === 'register' || verb === 'restore') belief.state = 'live';
  if (verb === 'delete') belief.state = 'redemption';
  if (verb === 'privacy' || withPrivacy) belief.hasPrivacy = true;
}

const commandOf: Partial<Record<Verb, string>> = { register: 'create', renew: 'renew', delete: 'delete' };

function drawTrouble(dice: Dice, verb: Verb, name: number): Step[] {
  const commands = [`domain:${commandOf[verb] ?? 'update'}`];
  const fault = (aim: Omit<Aim, 'name'>): Step => ({ do: 'fault', fault: { ...aim, name } as Aim });
  const deaf = fault({ kind: 'drop-before', commands: ['domain'] });
  const mute = fault({ kind: 'drop-before', commands: ['domain:info'] });
  const choices: (() => Step[])[] = [
    () => [deaf],
    () => [deaf],
    () => [deaf],
    () => [deaf],
    () => [fault({ kind: 'drop-before', commands })],
    () => [fault({ kind: 'drop-before', commands })],
    () => [fault({ kind: 'drop-before', commands })],
    () => [fault({ kind: 'drop-after-commit', commands, limit: 1 })],
    () => [fault({ kind: 'drop-after-commit', commands, limit: 1 })],
    () => [fault({ kind: 'drop-after-commit', commands, limit: 1 }), mute],
    () => [fault({ kind: 'drop-before', commands, limit: 1 }), mute],
    () => [fault({ kind: 'held', commands, until: 'question', limit: 1 })],
    () => [fault({ kind: 'held', commands, until: 'question', limit: 2 })],
    () => [fault({ kind: 'held', commands, until: 'command', limit: 1 })],
    () => [fault({ kind: 'held', commands, ms: dice.between(500, 6_000), limit: 1 })],
    () => [fault({ kind: '2400', commands, limit: 1 })],
    () => [fault({ kind: '2500', commands, limit: 1 })],
    () => [fault({ kind: 'delay', commands, ms: dice.between(300, 2_000), limit: 1 })],
    () => [fault({ kind: 'half-frame', commands, limit: 1 })],
    () => [
      fault({ kind: 'lagging-info', ms: dice.between(500, 5_000) }),
      fault({ kind: 'drop-after-commit', commands, limit: 1 }),
    ],
    () => [{ do: 'fault', fault: { kind: 'swapped-answers', commands: ['domain'], ms: 300 } }],
    () => [{ do: 'fault', fault: { kind: dice.pick(['poll-doubled', 'poll-reused', 'poll-out-of-order']) } }],
    () => [{ do: 'fault', fault: { kind: 'zone-dates', zone: dice.pick(['+07:00', '-05:00']), mark: 'offset' } }],
    () => [{ do: 'silence' }],
  ];
  return dice.pick(choices)();
}

const boundaries: readonly Boundary[] = ['add', 'renew', 'autoRenew', 'expiry', 'renewBy', 'redemption', 'phase'];

function drawMove(dice: Dice, name: number): Step {
  if (dice.chance(0.45)) return { do: 'move', byS: dice.pick([hourS, dayS, 2 * dayS, 3 * dayS, 4 * dayS, 31 * dayS]) };
  return {
    do: 'move-to',
    name,
    boundary: dice.pick(boundaries),
    offsetS: dice.pick([-10, 10, 60, -hourS, dayS, 2 * dayS]),
  };
}

/** The end that matters most while this is under way. */
const endOf: Partial<Record<Verb, readonly Boundary[]>> = {
  register: ['add'],
  renew: ['expiry', 'expiry', 'renew', 'autoRenew'],
  delete: ['add', 'renew', 'autoRenew'],
  restore: ['redemption'],
};

function drawAccident(dice: Dice, orders: readonly (Step & { do: 'order' })[], services: number): Step {
  const service = dice.between(0, services - 1);
  const afterMs = dice.between(0, 2_000);
  const roll = dice.between(1, 100);
  const { name, verb } = dice.pick(orders);
  const ends = endOf[verb];
  if (roll <= 40 && ends !== undefined) {
    return { do: 'move-to', name, boundary: dice.pick(ends), offsetS: dice.pick([10, 10, dayS, -10]), afterMs };
  }
  if (roll <= 62) return { afterMs, ...drawMove(dice, name) };
  if (roll <= 68) return { do: 'kill', service, afterMs: dice.between(0, 400) };
  if (roll <= 77) return { do: 'pause', service, ms: dice.between(500, 5_000), afterMs: dice.between(0, 300) };
  if (roll <= 88) return { do: 'kill-database', afterMs: dice.between(0, 1_200) };
  if (roll <= 92) return { do: 'freeze-database', ms: dice.between(300, 3_000), afterMs: dice.between(0, 200) };
  return { do: 'jump', service, byS: dice.pick([-2 * hourS, hourS, 3 * dayS, -dayS]), afterMs };
}
