import type { FastifyInstance } from 'fastify';

const yearSeconds = 31_536_000;

/** For every response: no content sniffing. Over TLS (our own or a trusted proxy's): only TLS from now on (RFC 6797 section 7.2). */
export function installSafeHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Content-Type-Options', 'nosniff');
    if (request.protocol === 'https') reply.header('Strict-Transport-Security', `max-age=${yearSeconds}`);
    done();
  });
}
