import { networkOf } from '../core/connection-limits.ts';
import { Refusal } from '../core/errors.ts';
import type { RateLimiter } from './rate-limit.ts';

export const guessLimits = { perAddress: 30, perReseller: 300 };

/**
 * Brute-force protection of API keys and links: slows down guessing, over all processes. Each miss counts against two budgets a minute: of its network and of the account named. A
 * correct key always works, however many others guess for the same account or network.
 */
export class GuessThrottle {
  readonly #rates: RateLimiter;

  constructor(rates: RateLimiter) {
    this.#rates = rates;
  }

  /** Throws 429 if the network or account has used up its misses. Sends no query. */
  refuseExhausted(address: string, resellerId: string | undefined): void {
    for (const { bucket } of budgets(address, resellerId)) {
      const waitMs = this.#rates.blockedForMs(bucket);
      if (waitMs > 0) throw tooMany(waitMs);
    }
  }

  /** Counts a miss. Throws 429 if it exceeds the budget. */
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
