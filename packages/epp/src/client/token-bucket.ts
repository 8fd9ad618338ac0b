import type { WallClock } from '../clock.ts';

const SECOND_MS = 1000;

/** Token bucket: at most `perSecond` commands a second on average, at most one second's worth at once. */
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

  /** Takes a token, or says how long to wait for one. */
  take(): { readonly taken: true } | { readonly taken: false; readonly waitMs: number } {
    this.#refill();
    if (this.#tokens >= 1) {
      this.#tokens -= 1;
      return { taken: true };
    }
    return { taken: false, waitMs: Math.ceil(((1 - this.#tokens) / this.#perSecond) * SECOND_MS) };
  }

  /** A login counts like any command but cannot be put off; it leaves a debt. */
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
