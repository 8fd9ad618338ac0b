import { chmod, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A protocol with one response for each request, in order. */
export interface RequestProtocol {
  /** Parses a request and returns its end. Undefined: it is incomplete. Throws on invalid input. */
  read(received: Buffer): { readonly request: string; readonly end: number } | undefined;
  answer(request: string): string;
}

export interface ProtocolServer {
  readonly port: number;
  close(): Promise<void>;
}

/** A request with all its attributes has about 2,000 bytes. */
const longestRequest = 16_384;
const mostConnections = 2_000;
/** Postfix keeps idle connections open between requests; an incomplete request times out. */
const idleMs = 600_000;
const requestMs = 10_000;

export function serveProtocol(protocol: RequestProtocol, host: string, port: number): Promise<ProtocolServer> {
  return serveOn(protocol, { host, port });
}

/** The same on a Unix socket, accessible to its owner and group. A leftover socket is replaced. */
export async function serveProtocolAt(protocol: RequestProtocol, path: string): Promise<ProtocolServer> {
  if (await answers(path)) throw new Error(`another process already listens at ${path} (NAMEHOLD_MX_SOCKET_DIR)`);
  await rm(path, { force: true });
  const server = await serveOn(protocol, { path });
  await chmod(path, 0o660);
  return server;
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/** Closes the connection after invalid input. */
async function serveOn(
  protocol: RequestProtocol,
  place: { host: string; port: number } | { path: string },
): Promise<ProtocolServer> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    serveConnection(socket, protocol);
  });
  server.maxConnections = mostConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(place, resolve);
  });
  return {
    port: 'port' in place ? (server.address() as AddressInfo).port : 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function serveConnection(socket: Socket, protocol: RequestProtocol): void {
  let received: Buffer = Buffer.alloc(0);
  let deadline: NodeJS.Timeout | undefined;
  socket.setTimeout(idleMs, () => socket.destroy());
  socket.on('close', () => clearTimeout(deadline));
  socket.on('data', (piece: Buffer) => {
    received = received.length === 0 ? piece : Buffer.concat([received, piece]);
    try {
      const { answers, left } = answerAll(received, protocol);
      received = left;
      if (received.length > longestRequest) throw new Error('request too long');
      if (answers !== '' && !socket.write(answers)) {
        socket.pause();
        socket.once('drain', () => socket.resume());
      }
    } catch {
      socket.destroy();
      return;
    }
    if (received.length === 0) {
      clearTimeout(deadline);
      deadline = undefined;
    } else deadline ??= setTimeout(() => socket.destroy(), requestMs).unref();
  });
}

function answerAll(received: Buffer, protocol: RequestProtocol): { readonly answers: string; readonly left: Buffer } {
  let answers = '';
  let left = received;
  for (let found = protocol.read(left); found; found = protocol.read(left)) {
    answers += protocol.answer(found.request);
    left = left.subarray(found.end);
  }
  return { answers, left };
}
