import type { FastifyReply, FastifyRequest } from 'fastify';
import { plainAddress } from '../authenticate.ts';
import { shownPath } from '../no-such-path.ts';
import type { LastStep } from './step.ts';

/** Additional facts for the log line of a request. */
interface RequestFacts {
  reseller_id?: string;
  key_id?: string | null;
  user_id?: string;
  person_id?: string;
  session_id?: string;
  /** The account ID that was sent with a wrong key. */
  claimed_id?: string;
  code?: string;
}

const known = new WeakMap<FastifyRequest, RequestFacts>();

export function noteFacts(request: FastifyRequest, facts: RequestFacts): void {
  known.set(request, { ...known.get(request), ...facts });
}

const isStream = (reply: FastifyReply) => `${reply.getHeader('content-type')}`.startsWith('text/event-stream');

/**
 * Writes the log line of the request and measures its duration.
 *
 * Failure: none; the answer was sent.
 * Limit: 200 characters of the path, without keys.
 */
export const logAnswer: LastStep = ({ request, reply }, { logger, metrics }) => {
  const seconds = reply.elapsedTime / 1000;
  const path = request.routeOptions.config.routePath ?? 'other';
  // The duration of a stream is not a response time.
  if (!isStream(reply)) metrics.observe(request.method, path, reply.statusCode, seconds);
  logger.info(
    {
      request_id: request.id,
      method: request.method,
      path: shownPath(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      address: plainAddress(request.ip),
      ...known.get(request),
    },
    'request',
  );
};
