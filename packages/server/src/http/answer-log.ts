import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { plainAddress } from './authenticate.ts';
import { hideKeys } from './hide-keys.ts';
import type { HttpMetrics } from './metrics.ts';

/** Additional facts for the log line of a request. */
interface RequestFacts {
  reseller_id?: string;
  key_id?: string | null;
  person_id?: string;
  session_id?: string;
  /** The account id that was sent with a wrong key. */
  claimed_id?: string;
  code?: string;
}

const known = new WeakMap<FastifyRequest, RequestFacts>();

export function noteFacts(request: FastifyRequest, facts: RequestFacts): void {
  known.set(request, { ...known.get(request), ...facts });
}

const isStream = (reply: FastifyReply) => `${reply.getHeader('content-type')}`.startsWith('text/event-stream');

/** Logs each response and measures its duration. */
export function recordAnswers(fastify: FastifyInstance, logger: Logger, metrics: HttpMetrics): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const seconds = reply.elapsedTime / 1000;
    const path = request.routeOptions.config.routePath ?? 'other';
    // The duration of a stream is not a response time.
    if (!isStream(reply)) metrics.observe(request.method, path, reply.statusCode, seconds);
    logger.info(
      {
        request_id: request.id,
        method: request.method,
        path: hideKeys(request.url.split('?')[0]!).slice(0, 200),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        address: plainAddress(request.ip),
        ...known.get(request),
      },
      'request',
    );
    done();
  });
}
