import type { Tx } from '@namehold/postgres';
import { notFound } from '../errors.ts';
import { findPurchaseOfOperation } from './ledger.sql.ts';
import type { PurchaseRef } from './ledger.ts';

export async function purchaseId(tx: Tx, ref: PurchaseRef): Promise<string> {
  if ('transactionId' in ref) return ref.transactionId;
  const id = await findPurchaseOfOperation(tx, ref.operationId);
  if (id === undefined) throw notFound('transaction');
  return id;
}
