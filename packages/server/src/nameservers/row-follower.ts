import { allTenants, type Database, type Reader } from '@namehold/postgres';
import type { Log } from '../core/app-context.ts';
import { feedCursor } from '../core/zones/publish/zone-head.sql.ts';
import { Follower } from './follower.ts';
import type { FollowedRow, RowCopy } from './row-copy.ts';

const pageRows = 1_000;
/** Interval of reads without a notification. */
const pollMs = 5_000;
/** The same while the copy on disk is outdated. */
const copyMs = 1_000;

/** Queries of a table with one row for each domain, run with the scheduler login. */
interface RowSource<R extends FollowedRow> {
  /** Pages in the order of ids; begin with '0'. */
  page(db: Reader, page: { readonly afterId: string; readonly limit: number }): Promise<R[]>;
  byIds(db: Reader, ids: readonly string[]): Promise<R[]>;
  /** Rows whose last change may have become visible since the cursor was taken. */
  since(db: Reader, cursor: string): Promise<{ readonly cursor: string; readonly rows: R[] }>;
}

/** The copy in memory. */
interface RowCache<R extends FollowedRow> {
  ids(): Iterable<string>;
  rows(): Iterable<R>;
  put(row: R): void;
  remove(id: string): void;
}

interface RowFollowerOptions<R extends FollowedRow> {
  readonly db: Database;
  readonly source: RowSource<R>;
  readonly cache: RowCache<R>;
  readonly log: Log;
  /** Log message of a failed read. */
  readonly failureMessage: string;
  /** The copy that is served until the first read from the database. */
  readonly copy?: RowCopy<R> | undefined;
}

/** Keeps the rows in memory current: reads all at the start and after each lost connection, and changes when notified. */
export class RowFollower<R extends FollowedRow> {
  readonly #db: Database;
  readonly #source: RowSource<R>;
  readonly #cache: RowCache<R>;
  readonly #log: Log;
  readonly #copy: RowCopy<R> | undefined;
  readonly #follower: Follower;
  #isBegun = false;
  #isCopied = true;
  #isComplete = false;
  #hasBegun = false;

  constructor({ db, source, cache, log, failureMessage, copy }: RowFollowerOptions<R>) {
    this.#db = db;
    this.#source = source;
    this.#cache = cache;
    this.#log = log;
    this.#copy = copy;
    this.#follower = new Follower({ log, failureMessage, step: () => this.#step() });
  }

  /** True once rows from the database or the disk are loaded. Before that, no domain counts as unknown. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** True once every row was read. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** A row changed. */
  notify(id: string): void {
    this.#follower.notify(id);
  }

  restart(): void {
    this.#follower.restart();
  }

  stop(): Promise<void> {
    return this.#follower.stop();
  }

  async #step(): Promise<void> {
    if (!this.#isBegun) await this.#readCopy();
    await this.#keepCopy();
    const { cursor, notified } = this.#follower;
    if (cursor === undefined) await this.#readAll();
    else if (notified.size > 0) await this.#readNotified(notified);
    else if (!(await this.#follower.sleep(this.#isCopied ? pollMs : copyMs))) await this.#catchUp(cursor);
  }

  async #readCopy(): Promise<void> {
    this.#isBegun = true;
    this.#hasBegun = (await this.#copy?.read((row) => this.#cache.put(row))) ?? false;
  }

  /** A failed write of the copy does not affect the service. */
  async #keepCopy(): Promise<void> {
    if (!this.#copy || this.#isCopied || !this.#isComplete || !this.#copy.mayWrite) return;
    this.#isCopied = true;
    await this.#copy.write(this.#cache.rows()).catch((error: unknown) => {
      this.#log.warn({ err: error }, 'copy on disk not written');
    });
  }

  async #readAll(): Promise<void> {
    const db = this.#db.as(allTenants);
    this.#follower.cursor = await feedCursor(db);
    const unseen = new Set(this.#cache.ids());
    for (let afterId = '0'; !this.#follower.isStopped; ) {
      const rows = await this.#source.page(db, { afterId, limit: pageRows });
      for (const row of rows) {
        unseen.delete(row.domain_id);
        this.#cache.put(row);
      }
      if (rows.length < pageRows) break;
      afterId = rows.at(-1)!.domain_id;
    }
    for (const id of unseen) this.#cache.remove(id);
    this.#isComplete = true;
    this.#hasBegun = true;
    this.#isCopied = false;
  }

  async #readNotified(notified: Set<string>): Promise<void> {
    const ids = [...notified].slice(0, pageRows);
    for (const id of ids) notified.delete(id);
    const rows = await this.#source.byIds(this.#db.as(allTenants), ids);
    const found = new Set(rows.map((row) => row.domain_id));
    for (const row of rows) this.#cache.put(row);
    for (const id of ids) if (!found.has(id)) this.#cache.remove(id);
    this.#isCopied = false;
  }

  async #catchUp(from: string): Promise<void> {
    const { cursor, rows } = await this.#source.since(this.#db.as(allTenants), from);
    for (const row of rows) this.#cache.put(row);
    if (rows.length > 0) this.#isCopied = false;
    this.#follower.moveOn(from, cursor);
  }
}
