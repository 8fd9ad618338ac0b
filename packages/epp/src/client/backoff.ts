import type { WallClock } from '../clock.ts';

export const DEFAULT_BACKOFF = { firstMs: 30_000, maxMs: 600_000 } as const;

/** Waits longer after each refusal, up to a limit; one success forgets it. */
export class Backoff {
  readonly #clock: WallClock;
  readonly #limits: { readonly firstMs: number; readonly maxMs: number };
  #delayMs = 0;
  #untilMs: number | undefined;

  constructor(clock: WallClock, limits: { readonly firstMs: number; readonly maxMs: number } = DEFAULT_BACKOFF) {
    this.#clock = clock;
    this.#limits = limits;
  }

  get untilMs(): number | undefined {
    return this.#untilMs !== undefined && this.#untilMs > this.#clock.nowMs() ? this.#untilMs : undefined;
  }

  /** Returns the delay that begins now. */
  refused(): number {
    this.#delayMs = this.#delayMs === 0 ? this.#limits.firstMs : Math.min(this.#delayMs * 2, this.#limits.maxMs);
    this.#untilMs = this.#clock.nowMs() + this.#delayMs;
    return this.#delayMs;
  }

  succeeded(): void {
    this.#delayMs = 0;
    this.#untilMs = undefined;
  }
}
