import type { FastifyReply, FastifyRequest } from 'fastify';
import { bodyLimitOf, bodyLimits } from './body.ts';
import { WireRefusal } from './errors.ts';
import { httpLimits } from './limits.ts';
import { type Load, strains } from './load-gauge.ts';
import { Places } from './places.ts';
import { changesSomething, type Route } from './route.ts';

export type ShedReason = (typeof strains)[number] | 'in_flight' | 'bodies' | 'connections';

export interface LoadGateOptions {
  readonly mostInFlight: number;
  readonly load: Load;
  onShed(reason: ShedReason): void;
}

/** Who needs no credentials, and what costs more than a request, is sent away first: at this share of a limit. */
const firstShare = 0.5;
/** Of the requests that are worked on at a time. */
const shareOfAccount = 0.5;
const strainsOfReading = strains.filter((strain) => strain !== 'writing');
const longestRetrySeconds = 10;

/** Who sends a body: an account, once its credentials are known to be right, or a network that showed none. */
export type Sender = { readonly account: string } | { readonly network: string };

/**
 * Sheds load before memory or queues grow: so many requests at a time, so many bytes of bodies on their way, and nothing more while
 * those who are here wait too long. Whoever comes beyond that hears it at once, before a body is read, and nothing was begun. What
 * settles money is always let in; health and metrics do not come by here.
 */
export class LoadGate {
  readonly #options: LoadGateOptions;
  readonly #bodies = new Places({ all: httpLimits.openBodyBytes, each: httpLimits.openBodyBytesOfAccount });
  /** Counted, not weighed: one that sends a byte a second takes the place of a large one. */
  readonly #ofStrangers = new Places({ all: httpLimits.strangerBodies, each: httpLimits.strangerBodiesOfNetwork });
  /** Each with what gives its account's place back, once it is known whose it is. */
  readonly #inFlight = new Map<FastifyReply['raw'], () => void>();
  readonly #ofAccounts: Places;

  constructor(options: LoadGateOptions) {
    this.#options = options;
    const { mostInFlight } = options;
    this.#ofAccounts = new Places({
      all: Number.POSITIVE_INFINITY,
      each: Math.ceil(mostInFlight * shareOfAccount),
    });
  }

  /** Before credentials are looked at. */
  enter(definition: Route, request: FastifyRequest, reply: FastifyReply): void {
    if (!definition.settlesMoney) this.#refuseBeyond(definition, request);
    this.#inFlight.set(reply.raw, () => undefined);
    whenGone(reply, () => this.leave(reply));
  }

  /** Once it is known whose it is: where all calls of one account wait, for its own rows or for a registry, there is room for the others'. */
  enterAs(account: string, definition: Route, reply: FastifyReply): void {
    if (!this.#inFlight.has(reply.raw)) return;
    if (!definition.settlesMoney && !this.#ofAccounts.hasRoom(account, 1)) this.#shed('in_flight', 1);
    this.#inFlight.set(reply.raw, this.#ofAccounts.take(account, 1));
  }

  /** Its work is done, though its answer may go on for hours. */
  leave(reply: FastifyReply): void {
    this.#inFlight.get(reply.raw)?.();
    this.#inFlight.delete(reply.raw);
  }

  /** Before a body is read, and once it is known whose it is: strangers take no room from those who have a key. */
  openBody(definition: Route, request: FastifyRequest, reply: FastifyReply, sender: Sender): void {
    const bytes = announcedBytes(definition, request);
    if (bytes === 0) return;
    const [bodies, who, amount] =
      'account' in sender
        ? ([this.#bodies, sender.account, bytes] as const)
        : ([this.#ofStrangers, sender.network, 1] as const);
    if (!definition.settlesMoney && !bodies.hasRoom(who, amount)) this.#shed('bodies', 1);
    whenGone(reply, bodies.take(who, amount));
  }

  #refuseBeyond(definition: Route, request: FastifyRequest): void {
    if (this.#inFlight.size >= this.#options.mostInFlight) this.#shed('in_flight', 1);
    const shares = this.#options.load.shares();
    const most = goesFirst(definition, request) ? firstShare : 1;
    // Who only reads has connections apart, and does not wait along with those who write.
    const felt = changesSomething(definition) ? strains : strainsOfReading;
    for (const strain of felt) if (shares[strain] >= most) this.#shed(strain, Math.ceil(shares[strain]));
  }

  #shed(reason: ShedReason, seconds: number): never {
    this.#options.onShed(reason);
    throw new WireRefusal('overloaded', undefined, {
      retryAfterSeconds: Math.min(Math.max(1, seconds), longestRetrySeconds),
    });
  }
}

/** Also where the client goes away before its answer, or went while its credentials were looked up. */
function whenGone(reply: FastifyReply, then: () => void): void {
  if (reply.raw.closed) then();
  else reply.raw.once('close', then);
}

function goesFirst(definition: Route, request: FastifyRequest): boolean {
  const { authorization, cookie } = request.headers;
  const isAnonymous = definition.isPublic === true || (authorization === undefined && cookie === undefined);
  return isAnonymous || definition.cost !== undefined || definition.isList === true || bodyIsLarge(definition);
}

const bodyIsLarge = ({ bodyLimitBytes = 0 }: Route) => bodyLimitBytes > bodyLimits.bytes;

/** What a body may grow to: as long as it says, or up to its limit where it does not say. */
function announcedBytes(definition: Route, request: FastifyRequest): number {
  if (definition.method === 'GET') return 0;
  const most = bodyLimitOf(definition);
  const length = request.headers['content-length'];
  if (length === undefined) return request.headers['transfer-encoding'] === undefined ? 0 : most;
  return Math.min(Number(length) || 0, most);
}
