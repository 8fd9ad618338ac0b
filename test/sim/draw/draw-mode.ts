import type { Mode, Step } from '../script.ts';
import type { Dice } from './dice.ts';
import { drawFaults } from './draw-faults.ts';

const dayS = 86_400;
const modes: readonly Mode[] = ['renew', 'renew', 'renew', 'renew_once', 'renew_once', 'delete', 'manual'];

/** The mode of new domains. Chosen while no order is open, so that it is known for each of them. */
export function drawDefault(dice: Dice): Step {
  const level = dice.between(0, 2);
  if (dice.chance(0.5)) return { do: 'default-mode', level, of: 'account', mode: dice.pick(modes) };
  return { do: 'default-mode', level, of: 'customer', mode: dice.pick([...modes, 'default']) };
}

export function drawMode(dice: Dice, name: number, tld: string, services: number): Step & { do: 'mode' } {
  const mode = dice.pick(modes);
  const isRenewing = mode === 'renew' || mode === 'renew_once';
  const isLimited = isRenewing && dice.chance(tld.startsWith('gem-') ? 0.8 : 0.2);
  const limit = dice.pick(['exact', 'exact', 'short'] as const);
  return { do: 'mode', name, mode, via: dice.between(0, services - 1), ...(isLimited ? { limit } : {}) };
}

/** The clock moves to where the platform acts by the mode of the domain, and the registry has faults. */
export function drawItsTime(dice: Dice, name: number, mode: Mode): Step[] {
  const steps: Step[] = [];
  if (dice.chance(0.6)) steps.push(...drawFaults(dice, mode === 'delete' ? 'delete' : 'renew', name));
  const isLate = mode === 'delete' || dice.chance(0.25);
  steps.push({
    do: 'move-to',
    name,
    boundary: isLate ? 'expiry' : 'renewalDue',
    offsetS: dice.pick([-2, -1, 0, 1, 10, 3_600, dayS, ...(isLate ? [20 * dayS, 50 * dayS, 400 * dayS] : [14 * dayS])]),
  });
  steps.push({ do: 'wait', ms: dice.between(500, 6_000) });
  return steps;
}
