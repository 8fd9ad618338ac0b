import { Refusal } from '../errors.ts';

export const hashLimits = {
  /** One run takes 19 MiB and a thread for a tenth of a second. */
  atOnce: 4,
  /** Of sign-ins. Requests of a key wait in any queue: they are rate-limited already. */
  waiting: 32,
};

/**
 * Limits concurrent hashes of this process; further callers wait in a queue. With more than `mostWaiting` in the queue, the caller is
 * refused.
 */
export class HashGate {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  async through<T>(work: () => Promise<T>, mostWaiting = Number.POSITIVE_INFINITY): Promise<T> {
    await this.#enter(mostWaiting);
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  async #enter(mostWaiting: number): Promise<void> {
    if (this.#running < hashLimits.atOnce) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= mostWaiting)
      throw new Refusal('rate_limited', 'Too many passwords are being checked at the moment. Try again in a second.', {
        retryAfterSeconds: 1,
      });
    // A finished caller passes its slot to the next.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
