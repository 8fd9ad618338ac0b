import type { Reader } from '@namehold/postgres';
import type { LockAfter, LockedBy, TransferLock } from './lock.ts';
import { tldClassOf } from './tld-class.ts';
import { rulesInForce } from './transfer-lock.sql.ts';

const hourMs = 3_600_000;

/**
 * The present locks of a domain, in the order of their ends. The rules are data (`transfer_lock`), with the dates from which they apply.
 */
export async function transferLocks(db: Reader, tld: string, by: LockedBy, now: Date): Promise<TransferLock[]> {
  const happened = [
    { after: 'registration', at: by.registeredAt },
    { after: 'transfer', at: by.transferredAt },
    { after: 'holder_change', at: by.registrantChangedAt },
  ].flatMap(({ after, at }) => (at === null ? [] : [{ after: after as LockAfter, at }]));
  const rules = await rulesInForce(db, tldClassOf(tld), happened);
  return rules
    .map(({ after, against, at, hours }) => ({
      after,
      against,
      since: at,
      until: new Date(at.getTime() + hours * hourMs),
    }))
    .filter(({ until }) => until > now)
    .sort((a, b) => a.until.getTime() - b.until.getTime());
}
