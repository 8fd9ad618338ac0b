import type { Clock } from '@namehold/base';
import { LRUCache } from 'lru-cache';
import { Refusal } from '../core/errors.ts';

export const guessLimits = { windowMs: 60_000, perAddress: 30, perReseller: 300, tracked: 100_000 };

/**
 * Slows guessing. It is asked only after a key has failed: who holds a right key always gets in,
 * so nobody can lock an owner out by guessing wrongly in its name or from its network.
 */
export class GuessThrottle {
  readonly #wall: Clock;
  readonly #misses = new LRUCache<string, { count: number; until: number }>({ max: guessLimits.tracked });

  constructor(wall: Clock) {
    this.#wall = wall;
  }

  /** Throws 429 where this address or this reseller id has had too many misses; else counts one. */
  miss(address: string, resellerId: string | undefined): void {
    const now = this.#wall.now().getTime();
    this.#count(`a:${address}`, guessLimits.perAddress, now);
    if (resellerId !== undefined) this.#count(`r:${resellerId}`, guessLimits.perReseller, now);
  }

  #count(key: string, limit: number, now: number): void {
    const entry = this.#misses.get(key);
    if (!entry || entry.until <= now) {
      this.#misses.set(key, { count: 1, until: now + guessLimits.windowMs });
      return;
    }
    entry.count += 1;
    if (entry.count > limit) {
      const seconds = Math.max(1, Math.ceil((entry.until - now) / 1000));
      throw new Refusal('rate_limited', 'too many failed attempts to authenticate', {
        headers: { 'Retry-After': String(seconds) },
      });
    }
  }
}
