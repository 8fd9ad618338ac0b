import { allTenants, type Tx } from '@namehold/postgres';
import { schedulerFor } from '../../actors.ts';
import { type Actor, type AppContext, writeAsService } from '../../app-context.ts';
import { audit } from '../../audit/audit.ts';
import { badField, Refusal } from '../../errors.ts';
import { appendEvent } from '../../events/append.ts';
import { cancelBill, lockBills } from '../../ledger/ledger.sql.ts';
import type { CancelReason, Transaction } from '../../ledger/ledger.ts';
import { readDomain } from '../../tables/domain.sql.ts';
import { isWaiting } from './bill.ts';
import { orderStatusText } from './order-status-text.ts';
import { orderLimits } from './wait.ts';
import { deleteWaitingOrder, expiredOrders, hasRun, lockWaitingOrders, removeUnpaid } from './waiting-order.sql.ts';

/** Cancels an order that waits for payment. Idempotent; an order that has run cannot be cancelled. */
export async function cancelOrder(ctx: AppContext, actor: Actor, customerId: string, id: string): Promise<Transaction> {
  ctx.failpoint('order:before-cancel');
  return writeAsService(ctx, actor, async (tx) => {
    await lockWaitingOrders(tx, actor.resellerId, [id]);
    const [bill] = await lockBills(tx, actor.resellerId, customerId, [id]);
    if (!bill) throw badField('transaction', `Customer ${customerId} has no order ${id}.`, 'not_found');
    if (bill.status === 'cancelled' && !(await hasRun(tx, actor.resellerId, id))) return bill;
    if (!isWaiting(bill))
      throw new Refusal(
        'conflict',
        `Order ${id} ${await orderStatusText(tx, actor.resellerId, bill)}. It can no longer be cancelled.`,
        {
          facts: { transaction_id: id, status: bill.status },
        },
      );
    return giveUp(ctx, tx, actor, bill, 'asked');
  });
}

/** Cancels orders that were not paid in time, or whose domain is gone. Money that a customer has paid in stays on its balance. */
export async function expireOrders(ctx: AppContext): Promise<number> {
  const now = ctx.clock.now();
  const expired = await expiredOrders(ctx.db.as(allTenants), now, orderLimits.expiredPerRun);
  for (const order of expired) {
    const actor = schedulerFor(order, 'expire-orders');
    await ctx.db.transaction(allTenants, async (tx) => {
      const [waiting] = await lockWaitingOrders(tx, order.reseller_id, [order.transaction_id]);
      // Paid, run or cancelled in the meantime.
      if (!waiting) return;
      const [bill] = await lockBills(tx, order.reseller_id, order.customer_id, [order.transaction_id]);
      if (bill) await giveUp(ctx, tx, actor, bill, order.expires_at <= now ? 'unpaid' : 'gone');
    });
  }
  return expired.length;
}

async function giveUp(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  bill: Transaction,
  reason: CancelReason,
): Promise<Transaction> {
  const now = ctx.clock.now();
  const cancelled = await cancelBill(tx, now, actor.resellerId, bill.id, reason);
  if (!cancelled) throw new Error(`bill ${bill.id} is not waiting for payment`);
  await deleteWaitingOrder(tx, bill.id);
  await removeUnpaid(tx, bill.domain_id!, now);
  const { name } = await readDomain(tx, bill.domain_id!);
  const facts = { domain_id: bill.domain_id!, domain_name: name, customer_id: bill.customer_id! };
  await audit(ctx, tx, actor, {
    action: 'order.cancel',
    objectType: 'order',
    objectId: bill.id,
    before: { status: bill.status },
    after: { ...facts, status: cancelled.status, reason },
  });
  await appendEvent(ctx, tx, {
    resellerId: actor.resellerId,
    type: 'order.cancelled',
    objectId: bill.id,
    requestId: actor.requestId,
    payload: { ...facts, reason },
  });
  ctx.failpoint('order:in-cancel');
  return cancelled;
}
