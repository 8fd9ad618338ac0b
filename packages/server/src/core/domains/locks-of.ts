import type { Reader } from '@namehold/postgres';
import type { Domain } from '../model/domain.ts';
import type { TransferLock } from '../policy/lock.ts';
import { transferLocks } from '../policy/transfer-lock.ts';

/** Transfer policy locks that are in force on an active domain. */
export function locksOf(db: Reader, domain: Domain, now: Date): Promise<TransferLock[]> {
  if (domain.state === 'removed' || domain.state === 'pending' || domain.state === 'unpaid') return Promise.resolve([]);
  const by = {
    registeredAt: domain.registry_created_at,
    transferredAt: domain.transferred_at,
    registrantChangedAt: domain.holder_changed_at,
  };
  return transferLocks(db, domain.tld, by, now);
}
