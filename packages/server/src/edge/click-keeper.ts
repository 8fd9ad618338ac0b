import { type Database, everyTenant } from '@namehold/base';
import { addClicks } from '../core/forwarding/clicks.sql.ts';
import type { Log } from '../core/house.ts';
import type { ClickBook } from './click-book.ts';

/** A kill loses what was counted since. */
const everyMs = 10_000;
const rowsAtOnce = 1_000;

/** Adds what was counted to the database, again and again. */
export class ClickKeeper {
  readonly #db: Database;
  readonly #book: ClickBook;
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> = Promise.resolve();

  constructor(db: Database, book: ClickBook, log: Log) {
    this.#db = db;
    this.#book = book;
    this.#log = log;
    this.#again();
  }

  #again(): void {
    this.#timer = setTimeout(() => {
      this.#storing = this.#store().finally(() => this.#again());
    }, everyMs).unref();
  }

  async #store(): Promise<void> {
    const rows = this.#book.take();
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      try {
        await this.#db.transaction(everyTenant, (tx) => addClicks(tx, rows.slice(at, at + rowsAtOnce)));
      } catch (error) {
        this.#book.putBack(rows.slice(at));
        this.#log.warn({ err: error }, 'what visitors asked for could not be stored; it is tried again');
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
