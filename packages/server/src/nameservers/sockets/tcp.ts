import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { networkOf } from '../../core/connection-limits.ts';
import { framed, TcpFrames } from './tcp-frames.ts';

export interface TcpLimits {
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  /** RFC 7766 6.2.3: idle timeout. */
  readonly idleMs: number;
  /** Requests on one connection before it is closed. */
  readonly maxRequests?: number;
}

/** Resolves when the client has room for more; rejects when it is gone. */
export type TcpSend = (message: Uint8Array) => Promise<void>;

/** The client disconnected during a response. */
export class ClientGone extends Error {
  override name = 'ClientGone';
}

export interface TcpOptions {
  readonly host: string;
  readonly port: number;
  readonly sharesPort: boolean;
  readonly limits: TcpLimits;
  /** Sends no, one or many messages. The next request is read after that. */
  answer(request: Buffer, address: string, send: TcpSend): Promise<void>;
  onError(error: unknown): void;
}

export interface TcpListener {
  readonly port: number;
  readonly connectionCount: () => number;
  close(): Promise<void>;
}

/** DNS over TCP: requests of a connection are answered in order and read no faster than responses are taken. */
export async function listenTcp(options: TcpOptions): Promise<TcpListener> {
  // Ordered by last request; the first is closed when the limit is reached.
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true, keepAlive: true }, (socket) => {
    acceptSocket(socket, open, options);
    converse(socket, open, options).catch((error: unknown) => {
      if (!isOrdinaryEnd(error)) options.onError(error);
      socket.destroy();
    });
  });
  await listening(server, options);
  return {
    port: (server.address() as { port: number }).port,
    connectionCount: () => open.size,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

async function listening(server: Server, { host, port, sharesPort }: TcpOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ host, port, backlog: 1024, reusePort: sharesPort }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function acceptSocket(socket: Socket, open: Set<Socket>, { limits }: TcpOptions): void {
  // Without a listener, a reset by the client would end the process.
  socket.on('error', () => socket.destroy());
  socket.on('close', () => open.delete(socket));
  socket.setTimeout(limits.idleMs, () => socket.destroy());
  const network = networkOf(socket.remoteAddress);
  const own = [...open].filter((other) => networkOf(other.remoteAddress) === network);
  if (own.length >= limits.maxConnectionsPerAddress) own[0]!.destroy();
  else if (open.size >= limits.maxConnections) [...open][0]!.destroy();
  open.add(socket);
}

async function converse(socket: Socket, open: Set<Socket>, options: TcpOptions): Promise<void> {
  const frames = new TcpFrames();
  const address = socket.remoteAddress ?? '';
  let left = options.limits.maxRequests ?? Number.POSITIVE_INFINITY;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    for (const request of frames.take(chunk)) {
      open.delete(socket);
      open.add(socket);
      await options.answer(request, address, (message) => send(socket, message));
      if (socket.destroyed) return;
      if (--left <= 0) {
        socket.end();
        return;
      }
    }
  }
}

async function send(socket: Socket, message: Uint8Array): Promise<void> {
  if (!socket.destroyed && !socket.write(framed(message))) await drained(socket);
  if (socket.destroyed) throw new ClientGone('the client disconnected');
}

/** Resolves when the client has taken the data or is gone. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.once('drain', done);
    socket.once('close', done);
  });
}

function isOrdinaryEnd(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? '';
  const isGone = error instanceof ClientGone || (error as { cause?: unknown }).cause instanceof ClientGone;
  return isGone || /^(ECONN\w+|EPIPE|ETIMEDOUT|ERR_STREAM_\w+)$/.test(code);
}
