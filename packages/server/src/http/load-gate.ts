import type { FastifyReply, FastifyRequest } from 'fastify';
import { bodyLimits } from './body.ts';
import { WireRefusal } from './errors.ts';
import { httpLimits } from './limits.ts';
import { type Load, strains } from './load-gauge.ts';
import type { Route } from './route.ts';

export type ShedReason = (typeof strains)[number] | 'in_flight' | 'bodies';

export interface LoadGateOptions {
  readonly mostInFlight: number;
  readonly load: Load;
  onShed(reason: ShedReason): void;
}

/** Who needs no credentials, and what costs more than a request, is sent away first: at this share of a limit. */
const firstShare = 0.5;
const longestRetrySeconds = 10;

/**
 * Sheds load before memory or queues grow: so many requests at a time, so many bytes of bodies on their way, and nothing more while
 * those who are here wait too long. Whoever comes beyond that hears it at once, before credentials are looked at and a body is read, and
 * nothing was begun. What settles money is always let in; health and metrics do not come by here.
 */
export class LoadGate {
  readonly #options: LoadGateOptions;
  #inFlight = 0;
  #bodyBytes = 0;

  constructor(options: LoadGateOptions) {
    this.#options = options;
  }

  enter(definition: Route, request: FastifyRequest, reply: FastifyReply): void {
    const bytes = announcedBytes(definition, request);
    if (!definition.settlesMoney) this.#refuseBeyond(definition, request, bytes);
    this.#inFlight += 1;
    this.#bodyBytes += bytes;
    // Also where the client goes away before its answer.
    reply.raw.once('close', () => {
      this.#inFlight -= 1;
      this.#bodyBytes -= bytes;
    });
  }

  #refuseBeyond(definition: Route, request: FastifyRequest, bytes: number): void {
    if (this.#inFlight >= this.#options.mostInFlight) this.#shed('in_flight', 1);
    if (bytes > 0 && this.#bodyBytes + bytes > httpLimits.openBodyBytes) this.#shed('bodies', 1);
    const shares = this.#options.load.shares();
    const most = goesFirst(definition, request) ? firstShare : 1;
    for (const strain of strains) if (shares[strain] >= most) this.#shed(strain, Math.ceil(shares[strain]));
  }

  #shed(reason: ShedReason, seconds: number): never {
    this.#options.onShed(reason);
    throw new WireRefusal('overloaded', undefined, {
      retryAfterSeconds: Math.min(Math.max(1, seconds), longestRetrySeconds),
    });
  }
}

function goesFirst(definition: Route, request: FastifyRequest): boolean {
  const isAnonymous = definition.isPublic === true || request.headers.authorization === undefined;
  return isAnonymous || definition.cost !== undefined || definition.isList === true || bodyIsLarge(definition);
}

const bodyIsLarge = ({ bodyLimitBytes = 0 }: Route) => bodyLimitBytes > bodyLimits.bytes;

/** What a body may grow to: as long as it says, or up to its limit where it does not say. */
function announcedBytes(definition: Route, request: FastifyRequest): number {
  if (definition.method === 'GET') return 0;
  const most = definition.bodyLimitBytes ?? bodyLimits.bytes;
  const length = request.headers['content-length'];
  if (length === undefined) return request.headers['transfer-encoding'] === undefined ? 0 : most;
  return Math.min(Number(length) || 0, most);
}
