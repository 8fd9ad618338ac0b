import type { Reader } from '@namehold/postgres';
import { rulesInForce } from '../policy/transfer-lock.sql.ts';

/** Length of the transfer lock after a change of registrant made now. */
export async function lockHours(db: Reader, now: Date): Promise<number> {
  const rules = await rulesInForce(db, 'generic', [{ after: 'holder_change', at: now }]);
  return rules.find(({ against }) => against === 'transfer')?.hours ?? 0;
}
