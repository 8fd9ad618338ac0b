import { read } from '../facts.ts';
import type { Order } from '../order.ts';
import type { Ledger, Play } from '../player.ts';
import type { Trader } from '../resellers.ts';
import { Disagreement } from './disagreement.ts';
import type { Log } from './renewals.ts';

/** The owners of a domain over time. */
export interface Tenure {
  readonly from: number;
  readonly owner: Trader;
}

/** docs/guide/moving-domains.md: a domain moves when the new reseller has accepted; a new life begins with the ordering reseller. */
export function tenuresOf(log: Log, orders: readonly Order[]): Tenure[] {
  const [{ name }] = orders as readonly [Order];
  const bought = orders
    .filter(({ verb, answer }) => (verb === 'register' || verb === 'transfer') && answer === 'accepted')
    .map(({ placedAt, buyer }) => ({ from: placedAt, owner: buyer }));
  const moved = log
    .filter(({ type, payload }) => type === 'domain.moved_in' && payload.domain_name === name)
    .map(({ at, by }) => ({ from: at, owner: by }));
  const tenures = [...bought, ...moved].sort((one, other) => one.from - other.from);
  return tenures.length > 0 ? tenures : [{ from: 0, owner: (orders[0] as Order).buyer }];
}

/** A reseller gets a domain only by an offer of its current reseller and its own acceptance. */
export function moveViolations({ moves }: Ledger, name: string, log: Log): string[] {
  const complaints: string[] = [];
  const eventsOf = (type: string, moveId: string | undefined) =>
    log.filter(({ type: each, payload }) => each === type && payload.operation_id === moveId);
  for (const { payload, type, by } of log) {
    if (type !== 'domain.moved_in' || payload.domain_name !== name) continue;
    const move = moves.find(({ moveId }) => moveId === payload.operation_id);
    if (move === undefined || !move.isAccepted || move.to !== by)
      complaints.push(`${name} came to reseller ${by.resellerId}, which has not accepted it`);
  }
  for (const { name: moved, state, moveId, from, to } of moves) {
    if (moved !== name || state === undefined) continue;
    const [away, inward] = [eventsOf('domain.moved_away', moveId), eventsOf('domain.moved_in', moveId)];
    const isDone = state === 'done';
    if (away.length !== Number(isDone) || inward.length !== Number(isDone))
      complaints.push(`${name}: the move ${moveId} is ${state}, and told ${away.length} and ${inward.length} times`);
    if (isDone && (away[0]?.by !== from || inward[0]?.by !== to))
      complaints.push(`${name}: the move ${moveId} is reported to others than its two sides`);
  }
  return complaints;
}

/** docs/guide/moving-domains.md: a tombstone stays under the old id with the former reseller. */
export async function checkTombstones({ installation, ledger }: Play, log: Log): Promise<void> {
  for (const { name, state, moveId, from } of ledger.moves) {
    if (state !== 'done' || !ledger.names.includes(name)) continue;
    const away = log.find(({ type, payload }) => type === 'domain.moved_away' && payload.operation_id === moveId);
    const { status, body } = await read(installation, `/v1/domains/${away?.payload.domain_id}`, from.caller);
    if (status !== 200 || body.order_status !== 'Moved')
      throw new Disagreement('name', `${name} was moved away, and its tombstone has ${status} ${body.order_status}`);
  }
}
