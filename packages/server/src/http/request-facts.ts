import type { FastifyRequest } from 'fastify';

/** What the log line of a request says beyond the request itself. */
export interface RequestFacts {
  reseller_id?: string;
  key_id?: string | null;
  person_id?: string;
  session_id?: string;
  /** The id that somebody gave without the right key. */
  claimed_id?: string;
  code?: string;
}

const known = new WeakMap<FastifyRequest, RequestFacts>();

export function noteFacts(request: FastifyRequest, facts: RequestFacts): void {
  known.set(request, { ...known.get(request), ...facts });
}

export function factsOf(request: FastifyRequest): RequestFacts {
  return known.get(request) ?? {};
}
