import { Turns } from './turns.ts';

interface Line {
  readonly turns: Turns;
  /** Those whose turn it is, and those who wait for it. */
  people: number;
}

/** A line for each: so many at once of one, and what keeps them keeps nobody else. */
export class Lines {
  readonly #most: number;
  readonly #lines = new Map<string, Line>();

  constructor(most: number) {
    this.#most = most;
  }

  async inLine<T>(whose: string, waitMs: number, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.getOrInsertComputed(whose, () => ({ turns: new Turns(this.#most), people: 0 }));
    line.people += 1;
    try {
      await line.turns.enter(whose, waitMs);
      try {
        return await work();
      } finally {
        line.turns.leave(whose);
      }
    } finally {
      line.people -= 1;
      if (line.people === 0) this.#lines.delete(whose);
    }
  }
}
