import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AnonymousBodies, type AnonymousSender } from './bodies/anonymous-bodies.ts';
import { endableBody, type Grow, meteredBody } from './bodies/body-meter.ts';
import { bodyLimitOf, bodyLimits } from './body.ts';
import { acquireAll, type CapacityClaim, CapacityPool, hasCapacityFor } from './capacity-pool.ts';
import { WireRefusal } from './errors.ts';
import { httpLimits } from './limits.ts';
import { type Load, overloadReasons } from './load-gauge.ts';
import { changesSomething, type Route } from './route.ts';

export type ShedReason = (typeof overloadReasons)[number] | 'in_flight' | 'bodies' | 'connections';

interface LoadGateOptions {
  readonly mostInFlight: number;
  readonly load: Load;
  onShed(reason: ShedReason): void;
}

/** At this share of a limit, public calls and expensive calls are refused first. */
const shareForCallsShedFirst = 0.5;
/** Requests in progress. */
const shareOfAccount = 0.5;
/**
 * Requests in progress and bytes of bodies, for all accounts below one top account together, however many it creates. The remainder
 * serves all others; a top account that is alone gets more from it than one account may use.
 */
const shareOfTop = 0.75;
/** Shares of an account's limit: for one session, for all its customers together, and for one customer. */
const shareOfSession = 0.5;
const shareOfCustomers = 0.5;
const shareOfCustomer = 0.25;
const readOverloadReasons = overloadReasons.filter((reason) => reason !== 'writing');
const longestRetrySeconds = 10;
const unlimited = Number.POSITIVE_INFINITY;

/** An authenticated caller. */
export interface CapacityOwner {
  readonly account: string;
  /** The account directly below the operator that it belongs to. */
  readonly top: string;
  readonly customer?: string | undefined;
  readonly session?: string | undefined;
  readonly key?: string | undefined;
}

/**
 * Sheds load before memory or queues grow. It limits requests in progress and bytes of bodies, and refuses new work while requests wait
 * too long. A refusal is sent before the body is read, and nothing was started. Calls that settle money are always admitted. Health
 * checks and metrics do not pass here.
 */
export class LoadGate {
  readonly #options: LoadGateOptions;
  readonly #bodies = new CapacityPool({ all: httpLimits.openBodyBytes, each: httpLimits.openBodyBytesOfAccount });
  readonly #bodiesOfTops = new CapacityPool({ all: unlimited, each: httpLimits.openBodyBytes * shareOfTop });
  readonly #bodiesOfCallers = new CapacityPool({ all: unlimited, each: httpLimits.openBodyBytesOfCaller });
  readonly #bodiesOfCustomers = new CapacityPool({ all: unlimited, each: httpLimits.openBodyBytesOfCustomers });
  /** Bodies larger than their reservation, until they are read. */
  readonly #growing = new WeakMap<FastifyRequest, { readonly reserved: number; readonly grow: Grow }>();
  readonly #anonymousBodies = new AnonymousBodies();
  /** Aborted when another body takes the place of this one. */
  readonly #displaced = new WeakMap<FastifyRequest, AbortSignal>();
  /** Functions that release the account's place, set once the account is known. */
  readonly #inFlight = new Map<FastifyReply['raw'], () => void>();
  readonly #ofTops: CapacityPool;
  readonly #ofAccounts: CapacityPool;
  readonly #ofSessions: CapacityPool;
  readonly #ofCustomers: CapacityPool;
  readonly #ofEachCustomer: CapacityPool;

  constructor(options: LoadGateOptions) {
    this.#options = options;
    const { mostInFlight } = options;
    const placesFor = (share: number) => new CapacityPool({ all: unlimited, each: Math.ceil(mostInFlight * share) });
    this.#ofTops = placesFor(shareOfTop);
    this.#ofAccounts = placesFor(shareOfAccount);
    this.#ofSessions = placesFor(shareOfAccount * shareOfSession);
    this.#ofCustomers = placesFor(shareOfAccount * shareOfCustomers);
    this.#ofEachCustomer = placesFor(shareOfAccount * shareOfCustomer);
  }

  /** Before credentials are checked. */
  enter(definition: Route, request: FastifyRequest, reply: FastifyReply): void {
    if (!definition.settlesMoney) this.#refuseBeyond(definition, request);
    this.#inFlight.set(reply.raw, () => undefined);
    whenGone(reply, () => this.leave(reply));
  }

  /** Once the account is known: if all calls of one account wait for its rows or for a registry, others still have room. */
  enterAs({ account, top, customer, session }: CapacityOwner, definition: Route, reply: FastifyReply): void {
    if (!this.#inFlight.has(reply.raw)) return;
    const claims: CapacityClaim[] = [
      [this.#ofAccounts, account],
      [this.#ofTops, top],
    ];
    if (session !== undefined) claims.push([this.#ofSessions, session]);
    if (customer !== undefined) claims.push([this.#ofCustomers, account], [this.#ofEachCustomer, customer]);
    if (!definition.settlesMoney && !hasCapacityFor(claims, 1)) this.#shed('in_flight', 1);
    this.#inFlight.set(reply.raw, acquireAll(claims, 1));
  }

  /** The work is done, although the response may continue for hours. */
  leave(reply: FastifyReply): void {
    this.#inFlight.get(reply.raw)?.();
    this.#inFlight.delete(reply.raw);
  }

  /** Before a body is read and once the caller is known, so that anonymous senders take no room from authenticated ones. */
  openBody(definition: Route, request: FastifyRequest, reply: FastifyReply, sender: CapacityOwner): void {
    const bytes = announcedBytes(definition, request);
    if (bytes === 0) return;
    const claims = this.#claimsOf(sender);
    const reserved = Math.min(bytes, httpLimits.bodyReservationBytes);
    const taken: (() => void)[] = [];
    let isGone = false;
    const grow = (more: number) => {
      if (isGone) return;
      if (!definition.settlesMoney && !hasCapacityFor(claims, more)) this.#shed('bodies', 1, { Connection: 'close' });
      taken.push(acquireAll(claims, more));
    };
    grow(reserved);
    whenGone(reply, () => {
      isGone = true;
      for (const giveBack of taken) giveBack();
    });
    if (bytes > reserved) this.#growing.set(request, { reserved, grow });
  }

  /** The same for a caller without credentials. */
  openAnonymousBody(definition: Route, request: FastifyRequest, reply: FastifyReply, sender: AnonymousSender): void {
    if (announcedBytes(definition, request) === 0) return;
    const displaced = new AbortController();
    const release = this.#anonymousBodies.open(request.raw, sender, () => {
      this.#options.onShed('bodies');
      displaced.abort();
    });
    if (!release) this.#shed('bodies', 1);
    whenGone(reply, release);
    this.#displaced.set(request, displaced.signal);
  }

  /** The body as its parser reads it. */
  meter(request: FastifyRequest, body: IncomingMessage): IncomingMessage | Transform {
    const growing = this.#growing.get(request);
    if (growing) return meteredBody(body, growing.reserved, growing.grow);
    const displaced = this.#displaced.get(request);
    if (!displaced) return body;
    const endable = endableBody(body);
    const end = () => void endable.destroy(tooSlow());
    if (displaced.aborted) end();
    else displaced.addEventListener('abort', end);
    return endable;
  }

  #claimsOf({ account, top, customer, session, key }: CapacityOwner): CapacityClaim[] {
    const claims: CapacityClaim[] = [
      [this.#bodies, account],
      [this.#bodiesOfTops, top],
      [this.#bodiesOfCallers, session ?? key ?? account],
    ];
    if (customer !== undefined) claims.push([this.#bodiesOfCustomers, account]);
    return claims;
  }

  #refuseBeyond(definition: Route, request: FastifyRequest): void {
    if (this.#inFlight.size >= this.#options.mostInFlight) this.#shed('in_flight', 1);
    const shares = this.#options.load.shares();
    const most = isShedFirst(definition, request) ? shareForCallsShedFirst : 1;
    // Reads use separate connections, and do not wait with writes.
    const relevantReasons = changesSomething(definition) ? overloadReasons : readOverloadReasons;
    for (const reason of relevantReasons) if (shares[reason] >= most) this.#shed(reason, Math.ceil(shares[reason]));
  }

  #shed(reason: ShedReason, seconds: number, headers: Record<string, string> = {}): never {
    this.#options.onShed(reason);
    throw new WireRefusal('overloaded', undefined, {
      headers,
      retryAfterSeconds: Math.min(Math.max(1, seconds), longestRetrySeconds),
    });
  }
}

const tooSlow = () =>
  new WireRefusal('request_timeout', 'The body did not arrive in time, and other requests needed its place.', {
    retryAfterSeconds: 1,
  });

/** Also if the client disconnects before its response, or during authentication. */
function whenGone(reply: FastifyReply, then: () => void): void {
  if (reply.raw.closed) then();
  else reply.raw.once('close', then);
}

function isShedFirst(definition: Route, request: FastifyRequest): boolean {
  const { authorization, cookie } = request.headers;
  const isAnonymous = definition.isPublic === true || (authorization === undefined && cookie === undefined);
  return isAnonymous || definition.cost !== undefined || definition.isList === true || bodyIsLarge(definition);
}

const bodyIsLarge = ({ bodyLimitBytes = 0 }: Route) => bodyLimitBytes > bodyLimits.bytes;

/** Maximum size of a body: its announced length, or its limit if none is announced. */
function announcedBytes(definition: Route, request: FastifyRequest): number {
  if (definition.method === 'GET') return 0;
  const most = bodyLimitOf(definition);
  const length = request.headers['content-length'];
  if (length === undefined) return request.headers['transfer-encoding'] === undefined ? 0 : most;
  return Math.min(Number(length) || 0, most);
}
