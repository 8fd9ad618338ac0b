import { read, readBalance } from '../facts.ts';
import { costOf, type Order } from '../order.ts';
import type { Play } from '../player.ts';
import { Disagreement } from './disagreement.ts';
import { decimal, pricesOf } from './price-table.ts';

const tries = 20;

/** docs/guide/sub-resellers.md: the money of a sub-reseller's purchase is held on every level, at the price of that level. */
export async function checkHolds({ installation, ledger, pending }: Play): Promise<void> {
  await Promise.all(pending.splice(0));
  // If a caller got no answer, the order may have been accepted: then the correct holds are unknown.
  if (ledger.orders.some(({ answer }) => answer === 'none')) return;
  for (let left = tries; left > 0; left--) {
    const before = await openOrders(ledger.orders, installation);
    const held = await Promise.all(ledger.chain.map(async (trader) => (await readBalance(installation, trader)).held));
    const after = await openOrders(ledger.orders, installation);
    // An order that ended in between proves nothing: repeat the check.
    if (before.length !== after.length) continue;
    for (const { level, resellerId } of ledger.chain) {
      const own = before.filter(({ buyer }) => buyer.level >= level);
      const expected = own.reduce((sum, order) => sum + costOf(order, pricesOf(order.name, level)), 0);
      if (held[level] === expected) continue;
      const names = own.map(({ verb, name, years }) => `${verb} ${name} ${years}y`).join(', ');
      throw new Disagreement(
        'hold',
        `reseller ${resellerId} has ${decimal(held[level] ?? 0)} on hold, should be ${decimal(expected)} for ${names}`,
        (held[level] ?? 0) - expected,
      );
    }
    return;
  }
}

async function openOrders(orders: readonly Order[], installation: Play['installation']): Promise<Order[]> {
  const open: Order[] = [];
  for (const order of orders) {
    if (order.answer !== 'accepted' || order.operationId === undefined || order.finalAt !== undefined) continue;
    const { status, body } = await read(installation, `/v1/operations/${order.operationId}`, order.buyer.caller);
    if (status !== 200) throw new Error(`operation ${order.operationId} cannot be read: ${status}`);
    if (!body.is_final) open.push(order);
  }
  return open;
}
