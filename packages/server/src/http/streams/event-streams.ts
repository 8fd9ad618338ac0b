import { type AppContext, contextFor } from '../../core/app-context.ts';
import { Refusal } from '../../core/errors.ts';
import { newestEvents, readEvents } from '../../core/events/read.ts';
import { WireRefusal } from '../errors.ts';
import type { Caller } from '../route.ts';
import type { EventFeed } from './event-feed.ts';
import { EventStream } from './event-stream.ts';

export interface StreamLimits {
  readonly ofAccount: number;
  readonly ofCustomer: number;
  /** For all customers of an account together, so that they take no place of the account itself. */
  readonly ofCustomers: number;
  readonly inAll: number;
  /** Part of them for all accounts below the same top account together. */
  readonly shareOfTop: number;
  /** Interval at which the end of the log is queried, for all streams together. */
  readonly pollMs: number;
  /** Interval at which callers are authorised again. */
  readonly authoriseMs: number;
  /** Interval of heartbeats without events. */
  readonly quietMs: number;
  /** A client that reads nothing for this long is disconnected. */
  readonly stallMs: number;
}

const limits: StreamLimits = {
  ofAccount: 10,
  ofCustomer: 3,
  ofCustomers: 100,
  inAll: 1_000,
  shareOfTop: 0.25,
  pollMs: 500,
  authoriseMs: 1_000,
  quietMs: 10_000,
  stallMs: 20_000,
};
const pageEvents = 100;
/** Callers checked concurrently. */
const authorisedTogether = 20;
/** At shutdown, for data in transit. */
const lastMs = 1_000;

/** An owner of streams, and how many it may have. */
interface Places {
  readonly whose: string;
  readonly most: number;
  /** Subject of the refusal. */
  readonly who: string;
}

interface Open {
  readonly stream: EventStream;
  readonly resellerId: string;
  /** Throws a refusal if the caller would not be admitted now. */
  authoriseAgain(): Promise<unknown>;
}

/**
 * The event streams of this process. One query for all of them finds whether a log has grown. An idle stream holds no database resource.
 */
export class EventStreams {
  readonly #ctx: AppContext;
  readonly #limits: StreamLimits;
  readonly #open = new Set<Open>();
  /** Places in use, including streams that are being opened. */
  readonly #places = new Map<string, number>();
  #taken = 0;
  #timers: NodeJS.Timeout[] = [];
  #isClosed = false;

  constructor(ctx: AppContext, own: Partial<StreamLimits> = {}) {
    this.#ctx = ctx;
    this.#limits = { ...limits, ...own };
  }

  /** Refuses streams beyond the limit. `authoriseAgain` throws a refusal if the caller would not be admitted now. */
  async open(caller: Caller, feed: EventFeed, authoriseAgain: () => Promise<unknown>): Promise<EventStream> {
    const { resellerId } = caller;
    const leave = this.#takePlaces(caller);
    try {
      const newest = (await newestEvents(this.#ctx, [resellerId])).get(resellerId) ?? 0n;
      const stream = this.#streamOf(caller, feed, newest);
      const open = { stream, resellerId, authoriseAgain };
      this.#open.add(open);
      stream.once('close', () => {
        this.#open.delete(open);
        leave();
        if (this.#open.size === 0) this.#stopTimers();
      });
      if (this.#timers.length === 0) this.#startTimers();
      if (this.#isClosed) stream.finish();
      return stream;
    } catch (error) {
      leave();
      throw error;
    }
  }

  #streamOf(caller: Caller, { after, type, show, idOf }: EventFeed, newest: bigint): EventStream {
    const ctx = contextFor(this.#ctx, caller);
    return new EventStream({
      after: after(newest),
      newest,
      read: (from) => readEvents(ctx, caller, { after: from, limit: pageEvents, type }),
      show,
      idOf,
      // If positions moved without own events, a customer could count the events of others.
      movesOn: caller.customerId === undefined,
      onFailed: (error) => this.#ctx.log.warn({ err: error }, 'reading events for a stream failed; will retry'),
    });
  }

  /** The owners to which a stream counts, with their limits. */
  #placesOf({ resellerId, topId, customerId }: Caller): readonly Places[] {
    const { ofAccount, ofCustomer, ofCustomers, inAll, shareOfTop } = this.#limits;
    const account = 'The account has';
    const together = 'All accounts below the same top account together have';
    const top = { whose: `below ${topId ?? resellerId}`, most: Math.floor(inAll * shareOfTop), who: together };
    if (customerId === undefined) return [{ whose: resellerId, most: ofAccount, who: account }, top];
    return [
      { whose: `${resellerId}:${customerId}`, most: ofCustomer, who: 'You have' },
      { whose: `${resellerId}:`, most: ofCustomers, who: 'The customers of the account have' },
      top,
    ];
  }

  #takePlaces(caller: Caller): () => void {
    if (this.#isClosed) throw new WireRefusal('unavailable', undefined, { retryAfterSeconds: 1 });
    const wanted = this.#placesOf(caller);
    const full = wanted.find(({ whose, most }) => (this.#places.get(whose) ?? 0) >= most);
    if (full)
      throw new WireRefusal('rate_limited', `${full.who} ${full.most} open streams. Close one first.`, {
        retryAfterSeconds: 5,
      });
    if (this.#taken >= this.#limits.inAll) throw new WireRefusal('overloaded', undefined, { retryAfterSeconds: 5 });
    for (const { whose } of wanted) this.#places.set(whose, (this.#places.get(whose) ?? 0) + 1);
    this.#taken += 1;
    return () => {
      this.#taken -= 1;
      for (const { whose } of wanted) {
        const left = this.#places.get(whose)! - 1;
        if (left > 0) this.#places.set(whose, left);
        else this.#places.delete(whose);
      }
    };
  }

  #startTimers(): void {
    const { pollMs, authoriseMs: admitMs, quietMs, stallMs } = this.#limits;
    const beat = () => {
      for (const { stream } of this.#open) stream.beat({ quietMs, stallMs });
    };
    this.#timers = [
      setInterval(
        this.#oneAtATime(() => this.#queryLog()),
        pollMs,
      ),
      setInterval(
        this.#oneAtATime(() => this.#queryAuthorised()),
        admitMs,
      ),
      setInterval(beat, Math.min(1_000, quietMs, stallMs)),
    ].map((timer) => timer.unref());
  }

  /** Errors are logged, and the next run retries. */
  #oneAtATime(work: () => Promise<void>): () => void {
    let isBusy = false;
    return () => {
      if (isBusy) return;
      isBusy = true;
      work()
        .catch((error: unknown) =>
          this.#ctx.log.warn({ err: error }, 'maintenance of event streams failed; will retry'),
        )
        .finally(() => {
          isBusy = false;
        });
    };
  }

  #stopTimers(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }

  /** If the database is unavailable, streams stay open and continue when it is back. */
  async #queryLog(): Promise<void> {
    const ids = [...new Set([...this.#open].map(({ resellerId }) => resellerId))];
    const newest = await newestEvents(this.#ctx, ids).catch(() => new Map<string, bigint>());
    for (const { stream, resellerId } of this.#open) {
      const number = newest.get(resellerId);
      if (number !== undefined) stream.notify(number);
    }
  }

  async #queryAuthorised(): Promise<void> {
    const all = [...this.#open];
    for (let from = 0; from < all.length; from += authorisedTogether) {
      const some = all.slice(from, from + authorisedTogether);
      await Promise.all(
        some.map(async ({ stream, authoriseAgain }) => {
          const isOut = await authoriseAgain().then(
            () => false,
            (error: unknown) => error instanceof Refusal,
          );
          if (isOut) stream.finish();
        }),
      );
    }
  }

  /** Clients reconnect, to another process or to the successor of this one. */
  close(): void {
    this.#isClosed = true;
    for (const { stream } of this.#open) stream.finish();
    setTimeout(() => {
      for (const { stream } of this.#open) stream.destroy();
    }, lastMs).unref();
  }
}
