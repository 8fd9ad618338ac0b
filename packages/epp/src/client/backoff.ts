import type { WallClock } from '../clock.ts';

export type BackoffLimits = {
  readonly firstMs: number;
  readonly maxMs: number;
  /** The factor from one pause to the next. Default: two. */
  readonly factor?: number;
};

export const DEFAULT_BACKOFF: BackoffLimits = { firstMs: 30_000, maxMs: 600_000 };

const HOUR_MS = 3_600_000;
/** After a login that was refused for its credentials: registries lock an account after a few. Four attempts a day at most. */
export const REFUSED_LOGIN: BackoffLimits = { firstMs: HOUR_MS / 6, maxMs: 24 * HOUR_MS, factor: 6 };
/** After a login that was refused for another reason, which a retry within seconds does not fix. */
export const FAILED_LOGIN: BackoffLimits = { firstMs: 30_000, maxMs: HOUR_MS };

/** Waits longer after each refusal, up to a limit. A success resets it. */
export class Backoff {
  readonly #clock: WallClock;
  readonly #limits: BackoffLimits;
  #delayMs = 0;
  #untilMs: number | undefined;
  #sinceMs = 0;

  constructor(clock: WallClock, limits: BackoffLimits = DEFAULT_BACKOFF) {
    this.#clock = clock;
    this.#limits = limits;
  }

  get untilMs(): number | undefined {
    return this.#untilMs !== undefined && this.#untilMs > this.#clock.nowMs() ? this.#untilMs : undefined;
  }

  /** The end of the first part of the pause, which is as long as the first pause. */
  get firstUntilMs(): number | undefined {
    const firstMs = this.#sinceMs + this.#limits.firstMs;
    return this.untilMs !== undefined && firstMs > this.#clock.nowMs() ? Math.min(firstMs, this.untilMs) : undefined;
  }

  /** Restarts the first part. Returns the remaining time of the whole pause. */
  again(untilMs: number): number {
    this.#sinceMs = this.#clock.nowMs();
    return untilMs - this.#sinceMs;
  }

  /** Returns the delay that begins now. */
  refused(): number {
    const { firstMs, maxMs, factor = 2 } = this.#limits;
    this.#sinceMs = this.#clock.nowMs();
    this.#delayMs = this.#delayMs === 0 ? firstMs : Math.min(this.#delayMs * factor, maxMs);
    this.#untilMs = this.#clock.nowMs() + this.#delayMs;
    return this.#delayMs;
  }

  succeeded(): void {
    this.#delayMs = 0;
    this.#untilMs = undefined;
  }
}
