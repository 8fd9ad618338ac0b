import type { Ending, Step } from '../script.ts';
import type { Dice } from './dice.ts';
import type { Belief } from './draw.ts';

const endings: readonly Ending[] = ['accept', 'accept', 'accept', 'accept', 'decline', 'withdraw', 'expire'];

/** While no order is open, domains are offered to another reseller of the chain, above or below. */
export function drawOffers(dice: Dice, beliefs: readonly Belief[], buyers: readonly number[]): Step[] {
  return beliefs.flatMap((belief, name): Step[] => {
    belief.isOffered = false;
    if (belief.state !== 'live' || !dice.chance(0.2)) return [];
    belief.isOffered = true;
    const to = dice.pick([0, 1, 2].filter((level) => level !== buyers[name]));
    const contacts = dice.pick(['oldcontact', 'default'] as const);
    return [{ do: 'offer', name, to, contacts, ending: dice.pick(endings) }];
  });
}

/** Some offers are answered while the registry and the services have faults, the others afterwards. */
export const drawAnswers = (dice: Dice, beliefs: readonly Belief[]): Step[] =>
  beliefs.flatMap(({ isOffered }, name): Step[] =>
    isOffered && dice.chance(0.6) ? [{ do: 'answer-offer', name, afterMs: dice.between(0, 300) }] : [],
  );
