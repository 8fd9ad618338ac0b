import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

const drainLimits = {
  /** A connection that is quiet for this long has no request on its way. */
  quietMs: 250,
  /** After this a request that is still under way is cut off. */
  totalMs: 25_000,
};

/**
 * The end of a server without the loss of a request: nobody new gets in, whoever is in gets an answer that says
 * `Connection: close`, and only quiet connections are closed. Node's own close() ends idle connections at once,
 * just when a client may be sending on one.
 */
export class Drain {
  readonly #fastify: FastifyInstance;
  readonly #sockets = new Set<Socket>();
  #isDraining = false;

  constructor(fastify: FastifyInstance) {
    this.#fastify = fastify;
    fastify.server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    fastify.addHook('onSend', (_request, reply, payload, done) => {
      if (this.#isDraining) reply.header('Connection', 'close');
      done(null, payload);
    });
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  async end(): Promise<void> {
    this.#isDraining = true;
    const { server } = this.#fastify;
    if (server.listening) NetServer.prototype.close.call(server);
    const began = performance.now();
    await this.#until(() => this.#sockets.size === 0, drainLimits.quietMs);
    await this.#until(
      () => {
        server.closeIdleConnections();
        // Opened ahead and never used: no request is lost with it.
        for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
        return this.#sockets.size === 0;
      },
      drainLimits.totalMs - (performance.now() - began),
    );
    server.closeAllConnections();
  }

  async #until(isDone: () => boolean, limitMs: number): Promise<void> {
    const end = performance.now() + limitMs;
    while (!isDone() && performance.now() < end) await sleep(10);
  }
}
