interface Waiter {
  readonly owner: string;
  readonly since: number;
  readonly begin: () => void;
}

/** The longest time for which later waiters of the same owner may overtake the first waiter. */
const maxPassedOverMs = 100;

/**
 * Limits concurrency; further callers wait. A free place goes to the next waiter of the same owner, which can reuse the connection
 * without a reset, unless another has waited too long.
 */
export class Semaphore {
  readonly #waiting: Waiter[] = [];
  #free: number;

  constructor(most: number) {
    this.#free = most;
  }

  /** Rejects after `waitMs`. Each successful `enter` needs exactly one `leave`. */
  enter(owner: string, waitMs: number): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const timeout = setTimeout(
        () => {
          this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
          reject(new Error('timeout exceeded when trying to connect'));
        },
        Math.max(0, waitMs),
      );
      const begin = () => {
        clearTimeout(timeout);
        resolve();
      };
      const waiter: Waiter = { owner, since: performance.now(), begin };
      this.#waiting.push(waiter);
    });
  }

  leave(owner: string): void {
    const [first] = this.#waiting;
    if (!first) {
      this.#free += 1;
      return;
    }
    const mayPassOver = performance.now() - first.since < maxPassedOverMs;
    const own = mayPassOver ? this.#waiting.findIndex((each) => each.owner === owner) : 0;
    this.#waiting.splice(Math.max(0, own), 1)[0]!.begin();
  }
}
