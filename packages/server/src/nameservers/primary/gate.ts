/** The line is too long to join. */
class Crowded extends Error {
  override name = 'Crowded';
}

/** At most `width` at once; the others wait in line, and beyond `maxWaiting` nobody is let in. */
export class Gate {
  readonly #width: number;
  readonly #maxWaiting: number;
  #inside = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(width: number, maxWaiting: number) {
    this.#width = width;
    this.#maxWaiting = maxWaiting;
  }

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inside >= this.#width) {
      if (this.#waiting.length >= this.#maxWaiting) throw new Crowded(`more than ${this.#maxWaiting} wait already`);
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    } else this.#inside++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The place is handed over, not freed: nobody can slip in between.
      if (next) next();
      else this.#inside--;
    }
  }
}
