import { setTimeout as sleep } from 'node:timers/promises';

/** So much of a minute's budget may be used at once. */
const burstPart = 6;

/** Our requests to one account: so many at a time, so many a minute. */
export class Pace {
  readonly #atOnce: number;
  readonly #perMs: number;
  readonly #burst: number;
  #running = 0;
  #tokens: number;
  #countedAt = performance.now();
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number, perMinute: number) {
    this.#atOnce = atOnce;
    this.#perMs = perMinute / 60_000;
    this.#burst = Math.max(1, perMinute / burstPart);
    this.#tokens = this.#burst;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    while (this.#running >= this.#atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
    try {
      await this.#token();
      return await work();
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #token(): Promise<void> {
    const now = performance.now();
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#countedAt) * this.#perMs) - 1;
    this.#countedAt = now;
    if (this.#tokens < 0) await sleep(-this.#tokens / this.#perMs);
  }
}
