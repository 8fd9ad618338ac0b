import type { FastifyInstance } from 'fastify';

const exposed =
  'X-Total-Count, X-Total-Count-Is, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Idempotency-Replayed, ETag';

/** Only origins that the operator configured. Scripts send credentials in a header, never in cookies. */
export function installCors(fastify: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const any = origins.includes('*');
  fastify.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    // Also if the origin is refused, so that a cache does not reuse the response for another one.
    if (!any) reply.header('Vary', 'Origin');
    if (origin === undefined || (!any && !origins.includes(origin))) {
      done();
      return;
    }
    reply.headers({
      'Access-Control-Allow-Origin': any ? '*' : origin,
      'Access-Control-Expose-Headers': exposed,
    });
    if (request.method !== 'OPTIONS') {
      done();
      return;
    }
    void reply
      .code(204)
      .headers({
        'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
        'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, If-Match, Prefer',
        'Access-Control-Max-Age': '600',
      })
      .send();
  });
  fastify.options('/v1/*', (_request, reply) => reply.code(204).send());
}
