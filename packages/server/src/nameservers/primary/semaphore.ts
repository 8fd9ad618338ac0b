/** The queue is full. */
class QueueFullError extends Error {
  override name = 'QueueFullError';
}

/** Runs at most `width` tasks at once; others wait, and beyond `maxWaiting` they are refused. */
export class Semaphore {
  readonly #width: number;
  readonly #maxWaiting: number;
  #inside = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(width: number, maxWaiting: number) {
    this.#width = width;
    this.#maxWaiting = maxWaiting;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inside >= this.#width) {
      if (this.#waiting.length >= this.#maxWaiting)
        throw new QueueFullError(`more than ${this.#maxWaiting} wait already`);
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    } else this.#inside++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The slot is passed to the next task directly, so that a new task cannot take it.
      if (next) next();
      else this.#inside--;
    }
  }
}
