import type { Money } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { Refusal } from '../errors.ts';
import { refundPurchase } from './ledger.sql.ts';
import type { PurchaseRef, Transaction } from './ledger.ts';
import { purchaseId } from './purchase-ref.ts';

interface Refund {
  /** Total to be refunded, of the buyer's amount, so a repeated call is harmless. Default: everything. */
  readonly total?: Money;
  /** The registry keeps its fee (outside its grace periods); default: it refunds in the same proportion. */
  readonly registryKeepsFee?: boolean;
}

/** Reverses a captured purchase at every level of its chain. */
export async function refund(
  ctx: Pick<AppContext, 'clock'>,
  tx: Tx,
  order: PurchaseRef & Refund,
): Promise<Transaction & { readonly refundedBefore: bigint }> {
  const id = await purchaseId(tx, order);
  const total = order.total?.amount ?? null;
  const after = await refundPurchase(tx, ctx.clock.now(), id, total, order.registryKeepsFee ?? false);
  if (after.status === 'pending' || after.status === 'cancelled') {
    throw new Refusal('conflict', `Transaction ${id} is ${after.status}. There is nothing to refund.`);
  }
  if (total !== null && after.refunded > total) {
    throw new Refusal('conflict', `Transaction ${id} was already refunded by more than that.`);
  }
  return after;
}
