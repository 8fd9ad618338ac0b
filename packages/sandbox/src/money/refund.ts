import type { Tx } from '@namehold/base';
import { type RefundCause, refundCharge } from './money.sql.ts';

/** Refunds a charge in full, once, to the account that paid it. */
export async function refund(tx: Tx, cause: RefundCause, statementId: string): Promise<bigint> {
  return BigInt((await refundCharge(tx, cause, statementId))?.amount ?? 0);
}
