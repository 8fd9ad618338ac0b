import { Readable } from 'node:stream';
import type { StoredEvent } from '../../core/events/read.sql.ts';
import type { EventPage } from '../../core/events/read.ts';

export interface EventStreamOptions {
  readonly after: bigint;
  /** The last event that there is, as the log said just now. */
  readonly newest: bigint;
  /** What comes after this one, in pages. */
  read(after: bigint): Promise<EventPage>;
  /** As one data line. */
  show(event: StoredEvent): string;
  idOf(number: string | bigint): string;
  /** Whether a heartbeat says how far the log was read; else it repeats the last id. */
  readonly movesOn: boolean;
  onFailed(error: unknown): void;
}

/** What may wait for a reader before the log is no longer read for it. */
const bufferBytes = 65_536;
const retryMs = 2_000;

/**
 * The log of one account as server-sent events, as fast as it is read and no faster: what is not asked for stays in the log. An id
 * without data moves the reader's place on and makes no event (HTML, 9.2.6); so it serves as the heartbeat.
 */
export class EventStream extends Readable {
  readonly #options: EventStreamOptions;
  /** Read from the log and not sent yet, at most a page. */
  #unsent: readonly StoredEvent[] = [];
  #after: bigint;
  #lastId: string;
  #newest: bigint;
  #isWanted = false;
  #isReading = false;
  #isEnded = false;
  #sentAt = performance.now();
  /** Since when nothing more was taken. */
  #stuckAt: number | undefined;

  constructor(options: EventStreamOptions) {
    super({ highWaterMark: bufferBytes });
    this.#options = options;
    this.#after = options.after;
    this.#newest = options.newest;
    this.on('pause', () => {
      this.#stuckAt = performance.now();
    });
    this.on('resume', () => {
      this.#stuckAt = undefined;
    });
    this.#lastId = options.idOf(this.#after);
    this.#send(`retry: ${retryMs}\nid: ${this.#lastId}\n\n`);
  }

  override _read(): void {
    this.#isWanted = true;
    void this.#sendOn();
  }

  /** So far the log has grown. Told again and again: a reading that failed is done with the next word. */
  notify(newest: bigint): void {
    if (newest > this.#newest) this.#newest = newest;
    void this.#sendOn();
  }

  /** Something is sent where nothing else was; who takes nothing for too long is let go, and finds the rest in the log. */
  beat({ quietMs, stallMs }: { quietMs: number; stallMs: number }): void {
    const now = performance.now();
    if (this.#stuckAt !== undefined && now - this.#stuckAt >= stallMs) this.destroy();
    else if (this.#isWanted && !this.#isReading && now - this.#sentAt >= quietMs)
      this.#send(`id: ${this.#options.movesOn ? this.#options.idOf(this.#after) : this.#lastId}\n\n`);
  }

  /** In order: what was read still arrives. */
  finish(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.push(null);
  }

  #send(text: string): void {
    this.#sentAt = performance.now();
    this.#isWanted = this.push(text);
  }

  async #sendOn(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#isWanted && !this.#isEnded && !this.destroyed) {
        const [event, ...rest] = this.#unsent;
        if (event) {
          this.#unsent = rest;
          this.#lastId = this.#options.idOf(event.number);
          this.#send(`id: ${this.#lastId}\ndata: ${this.#options.show(event)}\n\n`);
        } else if (this.#after < this.#newest) await this.#readPage();
        else break;
      }
    } catch (error) {
      this.#options.onFailed(error);
    } finally {
      this.#isReading = false;
    }
  }

  async #readPage(): Promise<void> {
    // Everything up to here was committed before the question: where the page is the last, it was looked through.
    const upTo = this.#newest;
    const { events, hasMore, nextAfter } = await this.#options.read(this.#after);
    this.#after = hasMore || nextAfter > upTo ? nextAfter : upTo;
    this.#unsent = events;
  }
}
