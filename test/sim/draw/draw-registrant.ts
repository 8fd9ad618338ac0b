import type { Step } from '../script.ts';
import type { Dice } from './dice.ts';
import type { Belief } from './draw.ts';
import { drawFaults } from './draw-faults.ts';

const dayS = 86_400;

/** Some domains have a registrant with an unconfirmed address. */
export function drawRegistrants(dice: Dice, beliefs: readonly Belief[]): Step[] {
  return beliefs.flatMap((belief, name): Step[] => {
    if (!dice.chance(0.35)) return [];
    belief.hasRegistrant = true;
    return [{ do: 'registrant', name }];
  });
}

/** The registrant confirms, or does not respond until its time is over. The registry has faults when the domain is held or restored. */
export function drawConfirmations(dice: Dice, beliefs: readonly Belief[]): Step[] {
  const waiting = beliefs.flatMap(({ state, hasRegistrant }, name) =>
    state === 'live' && hasRegistrant ? [name] : [],
  );
  if (waiting.length === 0 || !dice.chance(0.6)) return [];
  const name = dice.pick(waiting);
  const steps: Step[] = dice.chance(0.5) ? drawFaults(dice, 'nameservers', name) : [];
  if (dice.chance(0.6))
    steps.push({ do: 'move-to', name, boundary: 'verifyBy', offsetS: dice.pick([-10, -1, 0, 1, 10, 3_600, dayS]) });
  if (dice.chance(0.5)) steps.push({ do: 'confirm', name, afterMs: dice.between(0, 2_000) });
  return steps;
}
