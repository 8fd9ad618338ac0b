import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { Refusal } from '../errors.ts';
import { releasePurchase } from './ledger.sql.ts';
import type { PurchaseRef, Transaction } from './ledger.ts';
import { purchaseId } from './purchase-ref.ts';

/** Releases everything that was held. A second release changes nothing; a release after a capture is refused. */
export async function release(ctx: Pick<AppContext, 'clock'>, tx: Tx, order: PurchaseRef): Promise<Transaction> {
  const id = await purchaseId(tx, order);
  const after = await releasePurchase(tx, ctx.clock.now(), id);
  if (after.status !== 'cancelled')
    throw new Refusal('conflict', `Transaction ${id} is ${after.status} and cannot be released.`);
  return after;
}
