import type { WallClock } from '../clock.ts';

/** What a pool does besides the calls of its users: work that `close` waits for, and the time at which waiting commands are tried again. */
export class PoolBackground {
  readonly #clock: WallClock;
  readonly #onWake: () => void;
  readonly #open = new Set<Promise<void>>();
  #timer: { readonly atMs: number; readonly stop: () => void } | undefined;
  isClosed = false;

  constructor(clock: WallClock, onWake: () => void) {
    this.#clock = clock;
    this.#onWake = onWake;
  }

  wake(): void {
    this.#onWake();
  }

  /** The earliest requested time applies. */
  wakeAfter(waitMs: number): void {
    const atMs = this.#clock.nowMs() + waitMs;
    if (this.isClosed || (this.#timer && this.#timer.atMs <= atMs)) return;
    this.#timer?.stop();
    const stop = this.#clock.after(waitMs, () => {
      this.#timer = undefined;
      this.#onWake();
    });
    this.#timer = { atMs, stop };
  }

  track(work: Promise<void>): void {
    this.#open.add(work);
    void work.finally(() => this.#open.delete(work));
  }

  async whenIdle(): Promise<void> {
    while (this.#open.size > 0) await Promise.all(this.#open);
  }

  close(): void {
    this.isClosed = true;
    this.#timer?.stop();
  }
}
