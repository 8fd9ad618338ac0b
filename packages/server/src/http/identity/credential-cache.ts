import { LRUCache } from 'lru-cache';

/** A changed, revoked or expired key takes effect in every process within this time (5 s are promised). */
export const credentialCacheTtlMs = 3_000;
const most = 50_000;

/** Recently admitted callers. Entries expire however often they are used. Limited by size and not `max`, which would allocate at start. */
export const credentialCache = <T extends object>(): LRUCache<string, T> =>
  new LRUCache({ maxSize: most, sizeCalculation: () => 1, ttl: credentialCacheTtlMs });
