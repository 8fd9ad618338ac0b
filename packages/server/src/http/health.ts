import type { FastifyInstance } from 'fastify';

/** `/healthz`: the process lives. `/readyz`: it can serve, so a balancer may send it requests; else what is missing, in a word. */
export function installHealth(fastify: FastifyInstance, unreadyReason: () => Promise<string | undefined>): void {
  fastify.get('/healthz', (request, reply) => reply.header('X-Request-Id', request.id).send({ status: 'ok' }));
  fastify.get('/readyz', async (request, reply) => {
    const missing = await unreadyReason();
    reply.header('X-Request-Id', request.id);
    return reply.code(missing ? 503 : 200).send(missing ? { status: 'not ready', missing } : { status: 'ready' });
  });
}
