import { type Database, everyTenant } from '@namehold/base';
import { forwardedByIds, forwardedPage, forwardedSince } from '../core/forwarding/feed.sql.ts';
import type { Log } from '../core/house.ts';
import { feedCursor } from '../core/zones/publish/zone-head.sql.ts';
import type { RuleBook } from './rule-book.ts';
import type { RuleCopy } from './rule-copy.ts';

const pageRows = 1_000;
/** Without a word from the database, this often the changes are asked for. */
const pollMs = 5_000;
const retryMs = 500;
/** The same while the copy on disk is older than what is served. */
const copyMs = 1_000;

/** Keeps the book as the database has it: all of it at the start and after each loss of the line, and what changes in between as it is told. */
export class RuleFollower {
  readonly #db: Database;
  readonly #book: RuleBook;
  readonly #log: Log;
  readonly #copy: RuleCopy | undefined;
  #isCopied = true;
  readonly #told = new Set<string>();
  #cursor: string | undefined;
  #isComplete = false;
  #isStopped = false;
  #wake: () => void = () => undefined;
  readonly #running: Promise<void>;

  /** `copy`: what is served until the database answers for the first time. */
  constructor(db: Database, book: RuleBook, log: Log, copy?: RuleCopy) {
    this.#db = db;
    this.#book = book;
    this.#log = log;
    this.#copy = copy;
    this.#running = this.#run();
  }

  /** True once every rule has been read. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** A name changed. Every login of the database may send a word here. */
  tell(id: string): void {
    if (!/^\d{1,18}$/.test(id)) return;
    this.#told.add(id);
    this.#wake();
  }

  /** Words may have been missed: read everything again. */
  restart(): void {
    this.#cursor = undefined;
    this.#wake();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    await this.#copy?.read((row) => this.#book.put(row));
    while (!this.#isStopped) {
      try {
        await this.#keepCopy();
        if (this.#cursor === undefined) await this.#readAll();
        else if (this.#told.size > 0) await this.#readTold();
        else if (!(await this.#sleep(this.#isCopied ? pollMs : copyMs))) await this.#catchUp(this.#cursor);
      } catch (error) {
        this.#log.warn({ err: error }, 'forwarding rules could not be read; they are served as they were');
        this.#cursor = undefined;
        await this.#sleep(retryMs);
      }
    }
  }

  /** A disk that takes nothing is no reason to serve less. */
  async #keepCopy(): Promise<void> {
    if (!this.#copy || this.#isCopied || !this.#isComplete || !this.#copy.mayWrite) return;
    this.#isCopied = true;
    await this.#copy.write(this.#book.rows()).catch((error: unknown) => {
      this.#log.warn({ err: error }, 'the rules could not be copied to the disk');
    });
  }

  async #readAll(): Promise<void> {
    const db = this.#db.as(everyTenant);
    const cursor = await feedCursor(db);
    this.#cursor = cursor;
    const unseen = new Set(this.#book.ids());
    for (let afterId = '0'; !this.#isStopped; ) {
      const rows = await forwardedPage(db, { afterId, limit: pageRows });
      for (const row of rows) {
        unseen.delete(row.domain_id);
        this.#book.put(row);
      }
      if (rows.length < pageRows) break;
      afterId = rows.at(-1)!.domain_id;
    }
    for (const id of unseen) this.#book.remove(id);
    this.#isComplete = true;
    this.#isCopied = false;
  }

  async #readTold(): Promise<void> {
    const ids = [...this.#told].slice(0, pageRows);
    for (const id of ids) this.#told.delete(id);
    const rows = await forwardedByIds(this.#db.as(everyTenant), ids);
    const found = new Set(rows.map((row) => row.domain_id));
    for (const row of rows) this.#book.put(row);
    for (const id of ids) if (!found.has(id)) this.#book.remove(id);
    this.#isCopied = false;
  }

  async #catchUp(from: string): Promise<void> {
    const { cursor, rows } = await forwardedSince(this.#db.as(everyTenant), from);
    for (const row of rows) this.#book.put(row);
    if (rows.length > 0) this.#isCopied = false;
    // A restart that was asked for meanwhile stays asked for.
    if (this.#cursor === from) this.#cursor = cursor;
  }

  /** True where it was woken. */
  async #sleep(ms: number): Promise<boolean> {
    if (this.#isStopped) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), ms);
    this.#wake = () => resolve(true);
    const isWoken = await promise;
    clearTimeout(timer);
    this.#wake = () => undefined;
    return isWoken;
  }
}
