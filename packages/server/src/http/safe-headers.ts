import type { FastifyInstance } from 'fastify';

const yearSeconds = 31_536_000;

/** On every answer: no guessing of types; and where it came over TLS, ours or a trusted proxy's, only over TLS from now on (RFC 6797 7.2). */
export function installSafeHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Content-Type-Options', 'nosniff');
    if (request.protocol === 'https') reply.header('Strict-Transport-Security', `max-age=${yearSeconds}`);
    done();
  });
}
