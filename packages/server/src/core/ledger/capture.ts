import type { Money } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { Refusal } from '../errors.ts';
import { capturePurchase } from './ledger.sql.ts';
import type { PurchaseRef, Transaction } from './ledger.ts';
import { purchaseId } from './purchase-ref.ts';

interface Capture {
  /** A part of the buyer's amount; the levels above follow in proportion and the rest is released. Default: the full amount. */
  readonly amount?: Money;
  /** What the registry charged, if its answer says so. Default: the cost expected at the hold. */
  readonly registryCost?: Money;
}

/** Captures what was held. A second capture changes nothing; a capture after a release is refused. */
export async function capture(
  ctx: Pick<AppContext, 'clock'>,
  tx: Tx,
  order: PurchaseRef & Capture,
): Promise<Transaction> {
  const id = await purchaseId(tx, order);
  const after = await capturePurchase(tx, ctx.clock.now(), id, order.amount?.amount ?? null, order.registryCost);
  if (after.status === 'cancelled')
    throw new Refusal('conflict', `Transaction ${id} was already released and cannot be captured.`);
  return after;
}
