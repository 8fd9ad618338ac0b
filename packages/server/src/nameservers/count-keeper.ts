import { type Database, everyTenant, type Tx } from '@namehold/base';
import type { Log } from '../core/house.ts';
import { Trouble } from './trouble.ts';

/** A kill loses what was counted since. */
const everyMs = 10_000;
const rowsAtOnce = 1_000;

/** What was counted in memory. */
interface Book<R> {
  /** Hands over all of it, and begins anew. */
  take(): R[];
  /** They could not be stored. */
  putBack(rows: readonly R[]): void;
}

export interface CountKeeperOptions<R> {
  readonly db: Database;
  readonly book: Book<R>;
  readonly store: (tx: Tx, rows: readonly R[]) => Promise<void>;
  readonly log: Log;
  /** What the log says when they could not be stored. */
  readonly failedSentence: string;
}

/** Adds what was counted to the database, again and again. */
export class CountKeeper<R> {
  readonly #options: CountKeeperOptions<R>;
  readonly #trouble: Trouble;
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> = Promise.resolve();

  constructor(options: CountKeeperOptions<R>) {
    this.#options = options;
    this.#trouble = new Trouble(options.log, options.failedSentence);
    this.#again();
  }

  #again(): void {
    this.#timer = setTimeout(() => {
      this.#storing = this.#store().finally(() => this.#again());
    }, everyMs).unref();
  }

  async #store(): Promise<void> {
    const { db, book, store } = this.#options;
    const rows = book.take();
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      try {
        await db.transaction(everyTenant, (tx) => store(tx, rows.slice(at, at + rowsAtOnce)));
        this.#trouble.over();
      } catch (error) {
        book.putBack(rows.slice(at));
        this.#trouble.met(error);
        return;
      }
    }
  }

  async stop(): Promise<void> {
    await this.#storing;
    clearTimeout(this.#timer);
    await this.#store();
  }
}
