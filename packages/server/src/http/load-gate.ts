import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../core/errors.ts';
import { bodyLimits } from './body.ts';
import { httpLimits } from './limits.ts';
import type { Route } from './route.ts';

/**
 * Sheds load before memory or queues grow: so many requests at a time, and so many bytes of bodies on their way. Whoever comes beyond that
 * hears it at once, before credentials are looked at and a body is read, and nothing was begun.
 */
export class LoadGate {
  readonly #mostInFlight: number;
  #inFlight = 0;
  #bodyBytes = 0;

  constructor(mostInFlight: number) {
    this.#mostInFlight = mostInFlight;
  }

  enter(definition: Route, request: FastifyRequest, reply: FastifyReply): void {
    const bytes = announcedBytes(definition, request);
    if (this.#inFlight >= this.#mostInFlight || (bytes > 0 && this.#bodyBytes + bytes > httpLimits.openBodyBytes))
      throw new Refusal('overloaded', undefined, { headers: { 'Retry-After': '1' } });
    this.#inFlight += 1;
    this.#bodyBytes += bytes;
    // Also where the client goes away before its answer.
    reply.raw.once('close', () => {
      this.#inFlight -= 1;
      this.#bodyBytes -= bytes;
    });
  }
}

/** What a body may grow to: as long as it says, or up to its limit where it does not say. */
function announcedBytes(definition: Route, request: FastifyRequest): number {
  if (definition.method === 'GET') return 0;
  const most = definition.bodyLimitBytes ?? bodyLimits.bytes;
  const length = request.headers['content-length'];
  if (length === undefined) return request.headers['transfer-encoding'] === undefined ? 0 : most;
  return Math.min(Number(length) || 0, most);
}
