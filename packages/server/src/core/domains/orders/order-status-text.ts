import type { Reader } from '@namehold/postgres';
import type { Transaction } from '../../ledger/ledger.ts';
import { billStatusText } from './bill.ts';
import { hasRun } from './waiting-order.sql.ts';

/** The status of an order, also if only its bill is closed: the domain may have been bought all the same. */
export async function orderStatusText(db: Reader, resellerId: string, bill: Transaction): Promise<string> {
  const ran = bill.status === 'cancelled' && (await hasRun(db, resellerId, bill.id));
  return ran ? 'was executed and its bill is cancelled' : billStatusText(bill);
}
