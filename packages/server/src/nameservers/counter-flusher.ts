import { allTenants, type Database, type Tx } from '@namehold/postgres';
import type { Log } from '../core/app-context.ts';
import { FailureLog } from './failure-log.ts';

/** Flush interval. A killed process loses the counts since the last flush. */
const everyMs = 10_000;
const rowsAtOnce = 1_000;

/** In-memory counters. */
interface CounterBuffer<R> {
  /** Returns all counters and resets them. */
  take(): R[];
  /** Adds counters back after a failed flush. */
  putBack(rows: readonly R[]): void;
}

interface CounterFlusherOptions<R> {
  readonly db: Database;
  readonly cache: CounterBuffer<R>;
  readonly store: (tx: Tx, rows: readonly R[]) => Promise<void>;
  readonly log: Log;
  /** Log message of a failed flush. */
  readonly failureMessage: string;
}

/** Writes counters to the database periodically. */
export class CounterFlusher<R> {
  readonly #options: CounterFlusherOptions<R>;
  readonly #failureLog: FailureLog;
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> = Promise.resolve();

  constructor(options: CounterFlusherOptions<R>) {
    this.#options = options;
    this.#failureLog = new FailureLog(options.log, options.failureMessage);
    this.#again();
  }

  #again(): void {
    this.#timer = setTimeout(() => {
      this.#storing = this.#store().finally(() => this.#again());
    }, everyMs).unref();
  }

  async #store(): Promise<void> {
    const { db, cache, store } = this.#options;
    const rows = cache.take();
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      try {
        await db.transaction(allTenants, (tx) => store(tx, rows.slice(at, at + rowsAtOnce)));
        this.#failureLog.recovered();
      } catch (error) {
        cache.putBack(rows.slice(at));
        this.#failureLog.failed(error);
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
