import { networkOf } from '../core/connection-limits.ts';
import { Refusal } from '../core/errors.ts';
import type { RateLimiter } from './rate-limit.ts';

export const guessLimits = { perNetwork: 30, perReseller: 300 };

/**
 * Brute-force protection of API keys and links, over all processes. Each failed attempt counts against two budgets per minute: of its
 * network and of the account. A correct key always works, whatever others try for the same account or network.
 */
export class GuessThrottle {
  readonly #rates: RateLimiter;

  constructor(rates: RateLimiter) {
    this.#rates = rates;
  }

  /** Throws 429 if the network or account has used up its failed attempts. Sends no query. */
  refuseExhausted(address: string, resellerId: string | undefined): void {
    for (const { bucket } of budgets(address, resellerId)) {
      const waitMs = this.#rates.blockedForMs(bucket);
      if (waitMs > 0) throw tooMany(waitMs);
    }
  }

  /** Counts a failed attempt. Throws 429 if it exceeds the budget. */
  async recordFailedAttempt(address: string, resellerId: string | undefined): Promise<void> {
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
  const network = { bucket: `guess-from:${networkOf(address)}`, perMinute: guessLimits.perNetwork };
  if (resellerId === undefined) return [network];
  return [network, { bucket: `guess-at:${resellerId}`, perMinute: guessLimits.perReseller }];
}

function tooMany(waitMs: number): Refusal {
  return new Refusal('rate_limited', 'Too many failed authentication attempts. Try again later.', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}
