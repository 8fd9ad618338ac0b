import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

const drainLimits = {
  /** A connection that is idle for this long has no request in transit. */
  quietMs: 250,
  /** Requests that are still running this long after the announcement are cut off. */
  totalMs: 25_000,
};

/**
 * Stops a server without losing a request. It announces the shutdown, accepts no new connections, answers open ones with `Connection:
 * close`, and closes only idle connections. Node's own close() would close idle connections at once, even when a client is just sending
 * on one.
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

  /** Announces the shutdown while the server still accepts connections, so that load balancers learn it from /readyz. */
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
        // Opened in advance and never used, so no request is lost.
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
