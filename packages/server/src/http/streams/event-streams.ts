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
  /** Of all customers of an account together: none of them takes a place of the account itself. */
  readonly ofCustomers: number;
  readonly inAll: number;
  /** How often the log is asked whether it has grown, for all streams together. */
  readonly pollMs: number;
  /** How often it is looked whether callers are still let in. */
  readonly admitMs: number;
  /** Without an event, this often something is sent. */
  readonly quietMs: number;
  /** Who takes nothing for this long is let go. */
  readonly stallMs: number;
}

const limits: StreamLimits = {
  ofAccount: 10,
  ofCustomer: 3,
  ofCustomers: 100,
  inAll: 1_000,
  pollMs: 500,
  admitMs: 1_000,
  quietMs: 10_000,
  stallMs: 20_000,
};
const pageEvents = 100;
/** Callers that are looked at side by side. */
const admittedTogether = 20;
/** At the end of the process, for what is on its way. */
const lastMs = 1_000;

interface Open {
  readonly stream: EventStream;
  readonly resellerId: string;
  /** Throws a refusal where the caller would not be admitted now. */
  admitAgain(): Promise<unknown>;
}

/** The streams of this process: one question for all of them tells whether a log has grown; an idle one holds nothing of the database. */
export class EventStreams {
  readonly #ctx: AppContext;
  readonly #limits: StreamLimits;
  readonly #open = new Set<Open>();
  /** Places taken, also by those that are being opened. */
  readonly #places = new Map<string, number>();
  #taken = 0;
  #timers: NodeJS.Timeout[] = [];
  #isClosed = false;

  constructor(ctx: AppContext, own: Partial<StreamLimits> = {}) {
    this.#ctx = ctx;
    this.#limits = { ...limits, ...own };
  }

  /** Refuses one too many; `admitAgain` throws a refusal where the caller would not be admitted now. */
  async open(caller: Caller, feed: EventFeed, admitAgain: () => Promise<unknown>): Promise<EventStream> {
    const { resellerId } = caller;
    const leave = this.#takePlaces(caller);
    try {
      const newest = (await newestEvents(this.#ctx, [resellerId])).get(resellerId) ?? 0n;
      const stream = this.#streamOf(caller, feed, newest);
      const open = { stream, resellerId, admitAgain };
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
      // Where a customer's place moves without an event of its own, it could count those of others.
      movesOn: caller.customerId === undefined,
      onFailed: (error) => this.#ctx.log.warn({ err: error }, 'events could not be read for a stream'),
    });
  }

  /** Whose places a stream takes, and how many there are of each. */
  #placesOf({ resellerId, customerId }: Caller): readonly [string, number][] {
    const { ofAccount, ofCustomer, ofCustomers } = this.#limits;
    if (customerId === undefined) return [[resellerId, ofAccount]];
    return [
      [`${resellerId}:${customerId}`, ofCustomer],
      [`${resellerId}:`, ofCustomers],
    ];
  }

  #takePlaces(caller: Caller): () => void {
    if (this.#isClosed) throw new WireRefusal('unavailable', undefined, { retryAfterSeconds: 1 });
    const wanted = this.#placesOf(caller);
    const full = wanted.find(([whose, most]) => (this.#places.get(whose) ?? 0) >= most);
    if (full)
      throw new WireRefusal('rate_limited', `The account has ${full[1]} open streams. Close one first.`, {
        retryAfterSeconds: 5,
      });
    if (this.#taken >= this.#limits.inAll) throw new WireRefusal('overloaded', undefined, { retryAfterSeconds: 5 });
    for (const [whose] of wanted) this.#places.set(whose, (this.#places.get(whose) ?? 0) + 1);
    this.#taken += 1;
    return () => {
      this.#taken -= 1;
      for (const [whose] of wanted) {
        const left = this.#places.get(whose)! - 1;
        if (left > 0) this.#places.set(whose, left);
        else this.#places.delete(whose);
      }
    };
  }

  #startTimers(): void {
    const { pollMs, admitMs, quietMs, stallMs } = this.#limits;
    const beat = () => {
      for (const { stream } of this.#open) stream.beat({ quietMs, stallMs });
    };
    this.#timers = [
      setInterval(
        this.#oneAtATime(() => this.#queryLog()),
        pollMs,
      ),
      setInterval(
        this.#oneAtATime(() => this.#queryAdmitted()),
        admitMs,
      ),
      setInterval(beat, Math.min(1_000, quietMs, stallMs)),
    ].map((timer) => timer.unref());
  }

  /** What goes wrong is said, and done again the next time: nobody waits for it. */
  #oneAtATime(work: () => Promise<void>): () => void {
    let isBusy = false;
    return () => {
      if (isBusy) return;
      isBusy = true;
      work()
        .catch((error: unknown) => this.#ctx.log.warn({ err: error }, 'streams of events were not looked after'))
        .finally(() => {
          isBusy = false;
        });
    };
  }

  #stopTimers(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }

  /** A database that is away says nothing: streams stay, and go on from where they are when it is back. */
  async #queryLog(): Promise<void> {
    const ids = [...new Set([...this.#open].map(({ resellerId }) => resellerId))];
    const newest = await newestEvents(this.#ctx, ids).catch(() => new Map<string, bigint>());
    for (const { stream, resellerId } of this.#open) {
      const number = newest.get(resellerId);
      if (number !== undefined) stream.notify(number);
    }
  }

  async #queryAdmitted(): Promise<void> {
    const all = [...this.#open];
    for (let from = 0; from < all.length; from += admittedTogether) {
      const some = all.slice(from, from + admittedTogether);
      await Promise.all(
        some.map(async ({ stream, admitAgain }) => {
          const isOut = await admitAgain().then(
            () => false,
            (error: unknown) => error instanceof Refusal,
          );
          if (isOut) stream.finish();
        }),
      );
    }
  }

  /** Whoever listens comes back, to another process or to this one's successor. */
  close(): void {
    this.#isClosed = true;
    for (const { stream } of this.#open) stream.finish();
    setTimeout(() => {
      for (const { stream } of this.#open) stream.destroy();
    }, lastMs).unref();
  }
}
