import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { plainAddress } from './authenticate.ts';
import { hideKeys } from './hide-keys.ts';
import type { HttpMetrics } from './metrics.ts';

/** What the log line of a request says beyond the request itself. */
interface RequestFacts {
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

const isStream = (reply: FastifyReply) => `${reply.getHeader('content-type')}`.startsWith('text/event-stream');

/** What is remembered of each answer: a line, and how long it took. */
export function recordAnswers(fastify: FastifyInstance, logger: Logger, metrics: HttpMetrics): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const seconds = reply.elapsedTime / 1000;
    const path = request.routeOptions.config.routePath ?? 'other';
    // How long somebody listened is not how long we took.
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
