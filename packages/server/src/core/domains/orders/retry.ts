import type { Actor, AppContext } from '../../app-context.ts';
import { badField, Refusal } from '../../errors.ts';
import { selectTransaction } from '../../ledger/ledger.sql.ts';
import { billStatusText, isWaiting } from './bill.ts';
import { type Ran, runOrders } from './run.ts';
import { findOperationOfBill } from './waiting-order.sql.ts';

const types = ['domain', 'privacy_protect'] as const;

/** An order that waits is paid from the balance. An order that has run is resumed if it is stuck. A settled order stays as it is. */
export async function retryOrder(ctx: AppContext, actor: Actor, customerId: string, id: string): Promise<Ran> {
  const { resellerId } = actor;
  const db = ctx.db.as(resellerId);
  const find = () => selectTransaction(db, { viewerId: resellerId, resellerId, customerId, ids: [id], types });
  let bill = await find();
  if (!bill) throw badField('transaction', `Customer ${customerId} has no order ${id}.`, 'not_found');
  if (isWaiting(bill)) {
    try {
      return await runOrders(ctx, actor, { customerId, ids: [id], how: 'pay' });
    } catch (error) {
      // Another call has just run it: it is resumed like every other open order.
      bill = await find();
      if (!bill || isWaiting(bill)) throw error;
    }
  }
  const operationId = await findOperationOfBill(db, resellerId, id);
  if (bill.status === 'cancelled' && operationId === undefined)
    throw new Refusal('conflict', `Order ${id} ${billStatusText(bill)}. Place a new order.`, {
      facts: { transaction_id: id, status: bill.status },
    });
  return { bills: [bill], operationIds: operationId === undefined ? [] : [operationId] };
}
