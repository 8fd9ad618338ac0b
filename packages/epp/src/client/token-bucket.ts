import type { WallClock } from '../clock.ts';

const SECOND_MS = 1000;

/** Token bucket: at most `perSecond` commands a second on average, with bursts of one second's worth. */
export class TokenBucket {
  readonly #clock: WallClock;
  readonly #perSecond: number;
  readonly #capacity: number;
  #tokens: number;
  #filledAtMs: number;

  constructor(perSecond: number, clock: WallClock) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#capacity = Math.max(1, Math.floor(perSecond));
    this.#tokens = this.#capacity;
    this.#filledAtMs = clock.nowMs();
  }

  /** Takes a token, or returns the wait until the next one. */
  take(): { readonly taken: true } | { readonly taken: false; readonly waitMs: number } {
    this.#refill();
    if (this.#tokens >= 1) {
      this.#tokens -= 1;
      return { taken: true };
    }
    return { taken: false, waitMs: Math.ceil(((1 - this.#tokens) / this.#perSecond) * SECOND_MS) };
  }

  /** A login counts like a command but cannot be delayed, so the balance may become negative. */
  charge(): void {
    this.#refill();
    this.#tokens -= 1;
  }

  #refill(): void {
    const nowMs = this.#clock.nowMs();
    const gained = (Math.max(0, nowMs - this.#filledAtMs) / SECOND_MS) * this.#perSecond;
    this.#tokens = Math.min(this.#capacity, this.#tokens + gained);
    this.#filledAtMs = nowMs;
  }
}
