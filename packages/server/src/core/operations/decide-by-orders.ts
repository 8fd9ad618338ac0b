import type { FoundOrder } from '../ports/registry.ts';

/** An order with a lost answer that the domain itself does not show as executed, and what the registry reports about its orders. */
export interface LostOrder {
  readonly verb: 'register' | 'renew' | 'transfer' | 'restore';
  readonly operationId: string;
  readonly name: string;
  readonly orders: readonly FoundOrder[];
  /** When the first and the last command without an answer were sent. */
  readonly sent: { readonly first: Date; readonly last: Date };
  readonly now: Date;
  readonly visibleAfterMs: number;
}

type OrderDecision =
  /** The registry reports it as executed, and the domain does not show it yet. */
  | { readonly kind: 'executed'; readonly why: string }
  | { readonly kind: 'not_executed' }
  | { readonly kind: 'wait'; readonly why: string }
  /** A charge that nothing explains: repeating the order could be a second charge. */
  | { readonly kind: 'action_required'; readonly why: string };

/** Allowed difference between the clocks. */
const clocksDifferMs = 600_000;
/** After this time, a charge without an effect on the domain needs manual review. */
const explainedWithinMs = 180_000;

/** Decides about an order with a lost answer. Only this function does; drivers report. */
export function decideByOrders(lost: LostOrder): OrderDecision {
  const own = lost.orders.filter(({ operationId }) => operationId === lost.operationId);
  const candidates = own.length > 0 ? own : lost.orders.filter((order) => mayBeOurs(lost, order));
  const activeOrders = candidates.filter(({ state }) => state !== 'failed');
  const [first] = activeOrders;
  const ageMs = lost.now.getTime() - lost.sent.last.getTime();
  if (!first)
    return ageMs >= lost.visibleAfterMs
      ? { kind: 'not_executed' }
      : { kind: 'wait', why: `the order for ${lost.name} may not be visible at the upstream yet` };
  const open = activeOrders.find(({ state }) => state === 'open');
  if (open) return { kind: 'wait', why: `order ${open.id} of the upstream about ${lost.name} is open` };
  const why = `order ${first.id} of the upstream is about ${lost.name}, and the domain does not show what was ordered`;
  if (ageMs > explainedWithinMs) return { kind: 'action_required', why };
  return { kind: own.length > 0 ? 'executed' : 'wait', why };
}

/** An order with another operation's id, for something else, or from before is not this one. */
function mayBeOurs({ verb, sent }: LostOrder, order: FoundOrder): boolean {
  if (order.operationId !== null || (order.verb !== null && order.verb !== verb)) return false;
  // A domain that we do not hold has no earlier orders, and times in lists can be dates without a time zone.
  const hasEarlierOrders = verb === 'renew' || verb === 'restore';
  return !hasEarlierOrders || order.at === null || order.at.getTime() >= sent.first.getTime() - clocksDifferMs;
}
