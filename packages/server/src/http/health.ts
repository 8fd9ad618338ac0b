import type { FastifyInstance } from 'fastify';

/** `/healthz`: the process lives. `/readyz`: it can serve, so a balancer may send it requests. */
export function installHealth(fastify: FastifyInstance, isReady: () => Promise<boolean>): void {
  fastify.get('/healthz', (request, reply) => reply.header('X-Request-Id', request.id).send({ status: 'ok' }));
  fastify.get('/readyz', async (request, reply) => {
    const ready = await isReady().catch(() => false);
    reply.header('X-Request-Id', request.id);
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' });
  });
}
