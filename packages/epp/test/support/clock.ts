import type { WallClock } from '../../src/index.ts';

/** A clock that advances only when a test moves it. */
export class ManualClock implements WallClock {
  #nowMs = Date.parse('2026-01-01T00:00:00Z');
  readonly #timers = new Set<{ atMs: number; then: () => void }>();

  nowMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, then: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, then };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  advance(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      const next = [...this.#timers].filter((timer) => timer.atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.then();
    }
    this.#nowMs = untilMs;
  }
}
