import { type Actor, type AppContext, write } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField } from '../errors.ts';
import { minorUnits } from '../reference/currency.ts';
import { lockCustomer, setTotalReceipts } from './customer.sql.ts';
import type { Customer } from './customer.ts';

/** A figure that the reseller keeps for itself; it moves no money. */
export async function setCustomerReceipts(
  ctx: AppContext,
  actor: Actor,
  id: string,
  figure: string,
): Promise<Customer> {
  return write(ctx, actor, async (tx) => {
    const before = await lockCustomer(tx, actor.resellerId, id);
    if (!before) throw badField('customer', 'Customer not found.', 'not_found');
    const after = await setTotalReceipts(tx, actor.resellerId, id, minorUnits('receipts', figure, before.currency)!);
    await audit(ctx, tx, actor, {
      action: 'customer.total_receipts',
      objectType: 'customer',
      objectId: id,
      before: { total_receipts: before.total_receipts },
      after: { total_receipts: after.total_receipts },
    });
    return after;
  });
}
