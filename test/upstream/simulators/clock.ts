/** The clock of a simulated upstream. It stands where the test puts it, or follows a clock of the test. */
export class SimulatorClock {
  /** How far this upstream's clock is wrong. */
  skewMs = 0;
  #at: number;
  readonly #follow: (() => number) | undefined;

  constructor(start: number | (() => number) = Date.UTC(2026, 0, 15, 12)) {
    this.#follow = typeof start === 'function' ? start : undefined;
    this.#at = typeof start === 'number' ? start : 0;
  }

  now(): number {
    return (this.#follow?.() ?? 0) + this.#at + this.skewMs;
  }

  advance(ms: number): void {
    this.#at += ms;
  }
}

export const dayMs = 86_400_000;

export const epochSeconds = (at: number): number => Math.floor(at / 1000);

/** The same day of a later year; 29 February becomes 1 March in a year without it. */
export function yearsLater(at: number, years: number): number {
  const later = new Date(at);
  later.setUTCFullYear(later.getUTCFullYear() + years);
  return later.getTime();
}
