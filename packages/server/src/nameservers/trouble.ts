import type { Log } from '../core/house.ts';

/** What is tried again and again is told of once when it begins to fail, and once when it is over: else a database that is away for a night fills the log. */
export class Trouble {
  readonly #log: Log;
  readonly #sentence: string;
  #times = 0;

  constructor(log: Log, sentence: string) {
    this.#log = log;
    this.#sentence = sentence;
  }

  met(error: unknown): void {
    if (this.#times === 0) this.#log.warn({ err: error }, this.#sentence);
    this.#times += 1;
  }

  over(): void {
    if (this.#times > 0) this.#log.info({ times: this.#times }, `over: ${this.#sentence}`);
    this.#times = 0;
  }
}
