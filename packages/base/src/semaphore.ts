interface Waiter {
  readonly owner: string;
  readonly since: number;
  readonly begin: () => void;
}

/** Whoever came first is passed over for no longer than this. */
const maxPassedOverMs = 100;

/**
 * So many at once; the others wait their turn. Whoever leaves makes room for the next of the same owner, who can use what is there as it was left, unless
 * another has waited too long for that.
 */
export class Semaphore {
  readonly #waiting: Waiter[] = [];
  #free: number;

  constructor(most: number) {
    this.#free = most;
  }

  /** Refused where the wait is longer than this. Whoever was let in leaves once, whatever becomes of it. */
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
