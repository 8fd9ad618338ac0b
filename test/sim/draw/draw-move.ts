import type { Boundary, OrderStep, Step, Verb } from '../script.ts';
import type { Dice } from './dice.ts';

const hourS = 3_600;
const dayS = 86_400;
const boundaries: readonly Boundary[] = [
  'add',
  'renew',
  'autoRenew',
  'expiry',
  'renewBy',
  'renewalDue',
  'redemption',
  'phase',
  'transferGrace',
];
const seconds = [-3, -2, -1, 0, 1, 2];

export function drawMove(dice: Dice, name: number): Step {
  if (dice.chance(0.45)) return { do: 'move', byS: dice.pick([hourS, dayS, 2 * dayS, 3 * dayS, 4 * dayS, 31 * dayS]) };
  return {
    do: 'move-to',
    name,
    boundary: dice.pick(boundaries),
    offsetS: dice.pick([-10, 10, 60, -hourS, dayS, 2 * dayS, ...seconds]),
  };
}

/** The most important ends while this is open. */
const endsOf: Partial<Record<Verb, readonly Boundary[]>> = {
  register: ['add', 'phase'],
  renew: ['expiry', 'expiry', 'renew', 'autoRenew', 'renewBy', 'phase'],
  delete: ['add', 'renew', 'autoRenew'],
  restore: ['redemption', 'phase'],
  transfer: ['transfer', 'transfer', 'expiry'],
  approve: ['transfer'],
  reject: ['transfer'],
};

/** Intentionally into the seconds around the end of a grace period. */
export const drawEnd = (dice: Dice, { name, verb }: OrderStep, offsets: readonly number[] = seconds): Step => ({
  do: 'move-to',
  name,
  boundary: dice.pick(endsOf[verb] ?? boundaries),
  offsetS: dice.pick(offsets),
});
