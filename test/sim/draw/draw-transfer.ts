import type { OrderStep, Remedy, Step } from '../script.ts';
import type { Dice } from './dice.ts';
import type { Belief } from './draw.ts';

const dayS = 86_400;
/** docs/guide/transferring-in.md: for 60 days after a registration a transfer can be refused. */
const youngDays = 61;

/** Some domains start at the other registrar. Premium ones are excluded, because no page states the price of their transfer. */
export function drawForeign(dice: Dice, beliefs: readonly Belief[]): Step[] {
  const steps: Step[] = [];
  for (const [name, belief] of beliefs.entries()) {
    if (belief.tld.includes('*') || !dice.chance(0.3)) continue;
    belief.state = 'foreign';
    steps.push({ do: 'other-registrar', name, act: 'register' });
  }
  if (steps.length > 0 && dice.chance(0.8)) steps.push({ do: 'move', byS: youngDays * dayS });
  return steps;
}

/** While no order is open: the registrant of a domain wants to transfer it away. */
export function drawRequested(dice: Dice, beliefs: readonly Belief[]): Step[] {
  return beliefs.flatMap((belief, name): Step[] => {
    if (belief.state !== 'live' || !dice.chance(0.15)) return [];
    belief.state = 'asked';
    return [{ do: 'ask-away', name }];
  });
}

export function drawCode(dice: Dice): Pick<OrderStep, 'isCodeWrong' | 'remedy'> {
  if (!dice.chance(0.3)) return {};
  return { isCodeWrong: true, remedy: dice.pick<Remedy>(['code', 'code', 'cancel', 'expire']) };
}

/** Decisions about a pending transfer. */
export function drawDecision(dice: Dice, { verb, name, isCodeWrong }: OrderStep, belief: Belief): Step[] {
  const afterMs = dice.between(0, 1_500);
  const steps: Step[] = [];
  const silence: Step = {
    do: 'move-to',
    name,
    boundary: 'transfer',
    offsetS: dice.pick([-1, 0, 1, 10, dayS]),
    afterMs,
  };
  if (verb === 'transfer') {
    if (isCodeWrong && dice.chance(0.6)) steps.push({ do: 'new-code', name, isWrong: dice.chance(0.3), afterMs });
    const roll = dice.between(1, 100);
    if (roll <= 25) steps.push({ do: 'other-registrar', name, act: 'approve', afterMs });
    else if (roll <= 45) steps.push({ do: 'other-registrar', name, act: 'reject', afterMs });
    else if (roll <= 65) steps.push({ do: 'cancel-transfer', name, afterMs });
    else if (roll <= 85) steps.push(silence);
    if (roll > 25 && roll <= 65) belief.state = 'foreign';
  }
  if (belief.state === 'asked' && dice.chance(0.5)) {
    const isCancelled = dice.chance(0.4);
    steps.push(isCancelled ? { do: 'other-registrar', name, act: 'cancel', afterMs } : silence);
    belief.state = isCancelled ? 'live' : 'foreign';
  }
  return steps;
}
