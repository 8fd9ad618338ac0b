import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

const drainLimits = {
  /** A connection that is quiet for this long has no request on its way. */
  quietMs: 250,
  /** After this, from the announcement on, a request that is still under way is cut off. */
  totalMs: 25_000,
};

/**
 * The end of a server without the loss of a request: it is announced, then nobody new gets in, whoever is in gets an answer that says
 * `Connection: close`, and only quiet connections are closed. Node's own close() ends idle connections at once,
 * just when a client may be sending on one.
 */
export class Drain {
  readonly #fastify: FastifyInstance;
  readonly #sockets = new Set<Socket>();
  #isDraining = false;
  #began = 0;

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

  /** Says that it leaves, and still serves: whoever shares requests out hears it from /readyz, on a new connection, before there is none to be had. */
  async announce(ms: number): Promise<void> {
    this.#isDraining = true;
    this.#began = performance.now();
    if (this.#fastify.server.listening) await sleep(ms);
  }

  async end(): Promise<void> {
    const { server } = this.#fastify;
    if (server.listening) NetServer.prototype.close.call(server);
    await this.#until(() => this.#sockets.size === 0, drainLimits.quietMs);
    await this.#until(
      () => {
        server.closeIdleConnections();
        // Opened ahead and never used: no request is lost with it.
        for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
        return this.#sockets.size === 0;
      },
      drainLimits.totalMs - (performance.now() - this.#began),
    );
    server.closeAllConnections();
  }

  async #until(isDone: () => boolean, limitMs: number): Promise<void> {
    const end = performance.now() + limitMs;
    while (!isDone() && performance.now() < end) await sleep(10);
  }
}
