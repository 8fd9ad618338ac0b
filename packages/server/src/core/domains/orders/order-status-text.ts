import type { Reader } from '@namehold/base';
import type { Transaction } from '../../ledger/ledger.ts';
import { billStatusText } from './bill.ts';
import { hasRun } from './waiting-order.sql.ts';

/** How an order stands, also where only its bill is over: the name may be bought all the same. */
export async function orderStatusText(db: Reader, resellerId: string, bill: Transaction): Promise<string> {
  const ran = bill.status === 'cancelled' && (await hasRun(db, resellerId, bill.id));
  return ran ? 'was executed and its bill is cancelled' : billStatusText(bill);
}
