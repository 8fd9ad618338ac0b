import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { networkOf, siteOf } from '../../core/connection-limits.ts';
import { framed, TcpFrames } from './tcp-frames.ts';

export interface TcpLimits {
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  /** Part of all connections for one IPv4 /24 or IPv6 /48; default: all. */
  readonly shareOfSite?: number;
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
  const open: OpenSockets = new Map();
  const server = createServer({ noDelay: true, keepAlive: true }, (socket) => {
    acceptSocket(socket, open, options);
    serveConnection(socket, open, options).catch((error: unknown) => {
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
      for (const socket of open.keys()) socket.destroy();
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

/** With network and site, ordered by last request; the first is closed when a limit is reached. */
type OpenSockets = Map<Socket, { readonly network: string; readonly site: string }>;

function acceptSocket(socket: Socket, open: OpenSockets, { limits }: TcpOptions): void {
  // Without a listener, a reset by the client would end the process.
  socket.on('error', () => socket.destroy());
  socket.on('close', () => open.delete(socket));
  socket.setTimeout(limits.idleMs, () => socket.destroy());
  const own = { network: networkOf(socket.remoteAddress), site: siteOf(socket.remoteAddress) };
  const ofSite = [...open].filter(([, { site }]) => site === own.site);
  const ofNetwork = ofSite.filter(([, { network }]) => network === own.network);
  const { maxConnections, maxConnectionsPerAddress: perNetwork, shareOfSite = 1 } = limits;
  const perSite = Math.max(perNetwork, Math.floor(maxConnections * shareOfSite));
  const displaced =
    (ofNetwork.length >= perNetwork && ofNetwork[0]) ||
    (ofSite.length >= perSite && ofSite[0]) ||
    (open.size >= maxConnections && [...open][0]);
  if (displaced) displaced[0].destroy();
  open.set(socket, own);
}

async function serveConnection(socket: Socket, open: OpenSockets, options: TcpOptions): Promise<void> {
  const frames = new TcpFrames();
  const address = socket.remoteAddress ?? '';
  let left = options.limits.maxRequests ?? Number.POSITIVE_INFINITY;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    for (const request of frames.take(chunk)) {
      const own = open.get(socket);
      if (own && open.delete(socket)) open.set(socket, own);
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
