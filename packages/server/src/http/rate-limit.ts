import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, isWriteUnavailable } from '@namehold/postgres';
import { LRUCache } from 'lru-cache';
import type { AppContext } from '../core/app-context.ts';
import { WireRefusal } from './errors.ts';
import { type Taken, takeUnits } from './rate-limit.sql.ts';

const rateLimits = {
  /** A process leases units for this many seconds at a time, so that few requests need a statement. */
  sliceSeconds: 1,
  buckets: 100_000,
  /** Share of the budget of a key that a session gets. */
  sessionShare: 0.2,
  burstFactor: 0.5,
  /** A read waits at most this long for the statement, which writes. */
  grantWaitMs: 2_000,
  /** After a failure, the database is not queried for this long. */
  pauseMs: 1_000,
};

/** The budget of a key or a session. */
export const requestsPerMinute = ({ rateLimitPerMinute }: AppContext['config'], isSession: boolean): number =>
  isSession ? Math.ceil(rateLimitPerMinute * rateLimits.sessionShare) : rateLimitPerMinute;

interface Lease {
  units: number;
  remaining: number;
  until: number;
  blockedUntil: number;
  pending?: Promise<void> | undefined;
  /** Units that this process grants on its own while the database is unavailable. */
  own?: OwnGrants | undefined;
}

interface OwnGrants {
  units: number;
  at: number;
}

export interface RateLimitStatus {
  readonly limit: number;
  readonly remaining: number;
}

interface Draw {
  /** More than one for expensive calls. */
  readonly units?: number;
  readonly burst?: number;
  /** Name of the units, for the refusal. */
  readonly what?: string;
}

/**
 * One budget for each bucket, shared by all processes. If the database cannot be written, each process continues alone at the rate of
 * the budget, without burst, because reads must not depend on a writable database (decision 0084).
 */
export class RateLimiter {
  readonly #ctx: AppContext;
  // Limited by size and not `max`, which would allocate at each start.
  readonly #leases = new LRUCache<string, Lease>({ maxSize: rateLimits.buckets, sizeCalculation: () => 1 });
  #aloneUntil = 0;

  constructor(ctx: AppContext) {
    this.#ctx = ctx;
  }

  /** How long this bucket grants nothing, as far as this process knows. Sends no statement. */
  blockedForMs(bucket: string): number {
    return Math.max(0, (this.#leases.get(bucket)?.blockedUntil ?? 0) - performance.now());
  }

  async take(bucket: string, perMinute: number, options: Draw = {}): Promise<RateLimitStatus> {
    const wanted = Math.min(options.units ?? 1, burstOf(perMinute, options));
    const now = performance.now();
    let lease = this.#leases.get(bucket);
    if (!lease) {
      lease = { units: 0, remaining: 0, until: 0, blockedUntil: 0 };
      this.#leases.set(bucket, lease);
    }
    // Units unused for this long have been refilled in the shared budget.
    if (lease.until < now) lease.units = 0;
    // Waiting requests share one statement, so that a burst does not lease the whole budget.
    while (lease.units < wanted) {
      const waitMs = lease.blockedUntil - performance.now();
      if (waitMs > 0) throw limited(waitMs, perMinute, options.what ?? 'requests');
      lease.pending ??= this.#renew(
        bucket,
        perMinute,
        lease,
        wanted - lease.units,
        burstOf(perMinute, options),
      ).finally(() => {
        lease.pending = undefined;
      });
      await lease.pending;
    }
    lease.units -= wanted;
    return { limit: perMinute, remaining: lease.remaining + lease.units };
  }

  async #renew(bucket: string, perMinute: number, lease: Lease, missing: number, burst: number): Promise<void> {
    const slice = Math.max(missing, Math.ceil((perMinute / 60) * rateLimits.sliceSeconds));
    const taken = await this.#granted(bucket, lease, { perMinute, burst, slice });
    const now = performance.now();
    lease.units += taken.granted;
    lease.remaining = taken.remaining;
    lease.until = now + rateLimits.sliceSeconds * 10_000;
    lease.blockedUntil = taken.granted === 0 ? now + Math.max(1, taken.retry_after_ms) : 0;
  }

  async #granted(bucket: string, lease: Lease, wanted: Wanted): Promise<Taken> {
    if (performance.now() < this.#aloneUntil) return ownGrant(lease, wanted);
    const taking = takeUnits(this.#ctx.db.autocommit(allTenants), bucket, wanted);
    const taken = await answerWithin(rateLimits.grantWaitMs, taking);
    if (taken) return taken;
    this.#aloneUntil = Number.POSITIVE_INFINITY;
    // Units granted later are not used here; the budget refills.
    const retryLater = () => {
      this.#aloneUntil = performance.now() + rateLimits.pauseMs;
    };
    taking.then(retryLater, retryLater);
    return ownGrant(lease, wanted);
  }
}

type Wanted = Parameters<typeof takeUnits>[2];

/** Undefined: the database does not answer in time, or cannot be written. */
async function answerWithin(ms: number, taking: Promise<Taken>): Promise<Taken | undefined> {
  const over = new AbortController();
  const tooLate = sleep(ms, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
  try {
    return await Promise.race([taking, tooLate]);
  } catch (error) {
    if (isWriteUnavailable(error)) return undefined;
    throw error;
  } finally {
    over.abort();
  }
}

/** First one slice, then the rate of a minute; never more than one slice at once. */
function ownGrant(lease: Lease, { perMinute, slice }: Wanted): Taken {
  const now = performance.now();
  const perMs = perMinute / 60_000;
  const { units, at } = lease.own ?? { units: slice, at: now };
  const there = Math.min(slice, units + (now - at) * perMs);
  const granted = Math.floor(there);
  lease.own = { units: there - granted, at: now };
  return { granted, remaining: 0, retry_after_ms: granted > 0 ? 0 : Math.ceil((1 - there) / perMs) };
}

function burstOf(perMinute: number, { burst }: Draw): number {
  return burst ?? Math.max(10, Math.ceil(perMinute * rateLimits.burstFactor));
}

function limited(waitMs: number, perMinute: number, what: string): WireRefusal {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new WireRefusal(
    'rate_limited',
    `The limit of ${perMinute} ${what} per minute is exceeded. Try again in ${seconds} seconds.`,
    {
      retryAfterSeconds: seconds,
      headers: rateHeaders({ limit: perMinute, remaining: 0 }, seconds),
    },
  );
}

/** draft-ietf-httpapi-ratelimit-headers. */
export function rateHeaders(limitStatus: RateLimitStatus, resetSeconds = 60): Record<string, string> {
  return {
    'RateLimit-Policy': `"default";q=${limitStatus.limit};w=60`,
    RateLimit: `"default";r=${limitStatus.remaining};t=${resetSeconds}`,
  };
}
