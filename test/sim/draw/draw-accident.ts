import type { OrderStep, Step } from '../script.ts';
import type { Dice } from './dice.ts';
import { commandsOf } from './draw-faults.ts';
import { drawEnd, drawMove } from './draw-move.ts';

const hourS = 3_600;
const dayS = 86_400;
/** One more accident for this many orders. */
const ordersPerAccident = 20;

interface Accidents {
  /** Faults that must be set before the orders are placed. */
  readonly before: readonly Step[];
  readonly after: readonly Step[];
}

/** Accidents of the service while these orders are open. */
export function drawAccidents(
  dice: Dice,
  orders: readonly OrderStep[],
  services: number,
  isPatient: boolean,
): Accidents {
  const before: Step[] = [];
  const after: Step[] = [];
  if (isPatient) {
    // The claim is lost while its owner waits for the answer to a query; the next process claims and sends, and its answer is lost.
    const { name, verb } = orders.at(-1) as OrderStep;
    before.push(
      { do: 'fault', fault: { kind: 'delay', commands: ['domain:info'], ms: 7_000, limit: 1, name } },
      { do: 'fault', fault: { kind: 'drop-after-commit', commands: commandsOf(verb), limit: 1, name } },
    );
    after.push({ do: 'kill-database-at-claim', name }, { do: 'wait', ms: 10_000 });
  } else if (dice.chance(0.2)) {
    const { name, verb } = dice.pick(orders);
    const slow = (commands: string[]): Step => ({
      do: 'fault',
      fault: { kind: 'delay', commands, ms: 1_200, limit: 1, name },
    });
    if (dice.chance(0.5)) {
      // Between claim and send: the owner waits for an answer to a query before it sends.
      before.push(slow(['domain:info']));
      after.push({ do: 'kill-database', afterMs: dice.between(50, 700) });
    } else {
      before.push(slow(commandsOf(verb)));
      after.push({ do: 'kill-database-at-act', name });
    }
  }
  const times = dice.pick([0, 1, 1, 1, 2]) + Math.floor(orders.length / ordersPerAccident);
  for (let left = times; left > 0; left--) after.push(drawAccident(dice, dice.pick(orders), services));
  return { before, after };
}

function drawAccident(dice: Dice, order: OrderStep, services: number): Step {
  const service = dice.between(0, services - 1);
  const afterMs = dice.between(0, 2_000);
  const roll = dice.between(1, 100);
  if (roll <= 20) return { afterMs, ...drawEnd(dice, order) };
  if (roll <= 40) return { afterMs, ...drawEnd(dice, order, [10, 10, dayS, -10]) };
  if (roll <= 62) return { afterMs, ...drawMove(dice, order.name) };
  if (roll <= 68) return { do: 'kill', service, afterMs: dice.between(0, 400) };
  if (roll <= 77) return { do: 'pause', service, ms: dice.between(500, 5_000), afterMs: dice.between(0, 300) };
  if (roll <= 88) return { do: 'kill-database', afterMs: dice.between(0, 1_200) };
  if (roll <= 92) return { do: 'freeze-database', ms: dice.between(300, 3_000), afterMs: dice.between(0, 200) };
  return { do: 'jump', service, byS: dice.pick([-2 * hourS, hourS, 3 * dayS, -dayS]), afterMs };
}
