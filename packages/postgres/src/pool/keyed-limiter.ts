import { Semaphore } from './semaphore.ts';

interface Entry {
  readonly semaphore: Semaphore;
  /** The calls that run and those that wait. */
  users: number;
}

/** Limits concurrent calls per key. A full queue of one key does not delay other keys. */
export class KeyedLimiter {
  readonly #max: number;
  readonly #entries = new Map<string, Entry>();

  constructor(max: number) {
    this.#max = max;
  }

  async withSlot<T>(whose: string, waitMs: number, work: () => Promise<T>): Promise<T> {
    const entry = this.#entries.getOrInsertComputed(whose, () => ({ semaphore: new Semaphore(this.#max), users: 0 }));
    entry.users += 1;
    try {
      await entry.semaphore.enter(whose, waitMs);
      try {
        return await work();
      } finally {
        entry.semaphore.leave(whose);
      }
    } finally {
      entry.users -= 1;
      if (entry.users === 0) this.#entries.delete(whose);
    }
  }
}
