import { LRUCache } from 'lru-cache';

/** A changed, revoked or expired key is noticed in every process within this time (promise: 5 s). */
export const knownMs = 3_000;
const most = 50_000;

/** Who was let in a moment ago. It grows old however often it is used. By size, not by `max`: room for that many would be taken at each start. */
export const knownForAWhile = <T extends object>(): LRUCache<string, T> =>
  new LRUCache({ maxSize: most, sizeCalculation: () => 1, ttl: knownMs });
