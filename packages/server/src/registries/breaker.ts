import type { Clock } from '@namehold/base';

export const breakerLimits = { failures: 3, firstPauseMs: 1_000, maxPauseMs: 30_000 };

/** After some failures in a row calls are refused at once for a while, so that nobody waits for a registry that is down. */
export class Breaker {
  readonly #wall: Clock;
  #failures = 0;
  #openUntil = 0;

  constructor(wall: Clock) {
    this.#wall = wall;
  }

  get isOpen(): boolean {
    return this.#openUntil > this.#wall.now().getTime();
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openUntil = 0;
  }

  failed(): void {
    this.#failures += 1;
    const over = this.#failures - breakerLimits.failures;
    if (over < 0) return;
    const pause = Math.min(breakerLimits.maxPauseMs, breakerLimits.firstPauseMs * 2 ** Math.min(over, 10));
    this.#openUntil = this.#wall.now().getTime() + pause;
  }
}
