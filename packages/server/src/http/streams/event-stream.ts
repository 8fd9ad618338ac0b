import { Readable } from 'node:stream';
import type { StoredEvent } from '../../core/events/read.sql.ts';
import type { EventPage } from '../../core/events/read.ts';

interface EventStreamOptions {
  readonly after: bigint;
  /** The last event, as just read from the log. */
  readonly newest: bigint;
  /** The events after this one, in pages. */
  read(after: bigint): Promise<EventPage>;
  /** As one data line. */
  show(event: StoredEvent): string;
  idOf(number: string | bigint): string;
  /** Whether a heartbeat contains the position that was read. Otherwise it repeats the last id. */
  readonly movesOn: boolean;
  onFailed(error: unknown): void;
}

/** Maximum that waits for a reader before reading of the log stops. */
const bufferBytes = 65_536;
const retryMs = 2_000;

/**
 * The log of one account as server-sent events, read only as fast as the client reads. An id without data moves the position of the
 * reader without an event (HTML, 9.2.6), so it serves as heartbeat.
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
  /** Since when the client has read nothing. */
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

  /** The log has grown to here. Reported repeatedly, so a failed read is repeated with the next report. */
  notify(newest: bigint): void {
    if (newest > this.#newest) this.#newest = newest;
    void this.#sendOn();
  }

  /** Sends a heartbeat if nothing else was sent. A client that reads nothing for too long is disconnected, and can resume from the log. */
  beat({ quietMs, stallMs }: { quietMs: number; stallMs: number }): void {
    const now = performance.now();
    if (this.#stuckAt !== undefined && now - this.#stuckAt >= stallMs) this.destroy();
    else if (this.#isWanted && !this.#isReading && now - this.#sentAt >= quietMs)
      this.#send(`id: ${this.#options.movesOn ? this.#options.idOf(this.#after) : this.#lastId}\n\n`);
  }

  /** In order: events that were read are still sent. */
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
    // Everything up to here was committed before the query, so after the last page the log was read completely.
    const upTo = this.#newest;
    const { events, hasMore, nextAfter } = await this.#options.read(this.#after);
    this.#after = hasMore || nextAfter > upTo ? nextAfter : upTo;
    this.#unsent = events;
  }
}
