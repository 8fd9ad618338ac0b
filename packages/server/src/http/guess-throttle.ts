import { networkOf } from '../core/connection-limits.ts';
import { Refusal } from '../core/errors.ts';
import type { RateLimiter } from './rate-limit.ts';

export const guessLimits = { perAddress: 30, perReseller: 300 };

/**
 * Slows guessing, over all processes: misses draw on two budgets a minute, one for the network they come from and one for the account they name.
 * Whoever holds a right key gets in however many others guess wrongly in its name or beside it.
 */
export class GuessThrottle {
  readonly #rates: RateLimiter;

  constructor(rates: RateLimiter) {
    this.#rates = rates;
  }

  /** Throws 429 where this network or this account has had its misses; costs no statement. */
  refuseExhausted(address: string, resellerId: string | undefined): void {
    for (const { bucket } of budgets(address, resellerId)) {
      const waitMs = this.#rates.blockedForMs(bucket);
      if (waitMs > 0) throw tooMany(waitMs);
    }
  }

  /** One more miss. Throws 429 where it was one too many. */
  async miss(address: string, resellerId: string | undefined): Promise<void> {
    this.refuseExhausted(address, resellerId);
    for (const { bucket, perMinute } of budgets(address, resellerId)) {
      try {
        await this.#rates.take(bucket, perMinute, { burst: perMinute });
      } catch (error) {
        if (error instanceof Refusal) throw tooMany(this.#rates.blockedForMs(bucket));
        throw error;
      }
    }
  }
}

function budgets(address: string, resellerId: string | undefined): { bucket: string; perMinute: number }[] {
  const network = { bucket: `guess-from:${networkOf(address)}`, perMinute: guessLimits.perAddress };
  if (resellerId === undefined) return [network];
  return [network, { bucket: `guess-at:${resellerId}`, perMinute: guessLimits.perReseller }];
}

function tooMany(waitMs: number): Refusal {
  return new Refusal('rate_limited', 'Too many failed authentication attempts. Try again later.', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}
