import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { requireFreePort } from '@namehold/base';
import { AddressLimits } from './address-limits.ts';
import { page, type Reply, replyTo } from './reply.ts';
import type { RuleBook } from './rule-book.ts';
import type { EdgeSettings } from './settings.ts';

const headerOctets = 8_192;
const headerMs = 10_000;
const idleMs = 5_000;
const allConnections = 20_000;

export interface WebServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Answers HTTP from the book. Bodies are never read: nothing that is answered here depends on one. */
export async function serveWeb(
  book: RuleBook,
  settings: EdgeSettings,
  watch: { isComplete(): boolean; answered(status: number): void },
): Promise<WebServer> {
  await requireFreePort({
    host: settings.host,
    port: settings.port,
    setting: 'NAMEHOLD_REDIRECT_PORT',
    protocols: ['tcp'],
  });
  const limits = new AddressLimits(settings.limits);
  const networks = new WeakMap<Socket, string>();
  const nonce = () => randomBytes(16).toString('base64url');
  const answer = (request: IncomingMessage): Reply => {
    const { abuseAddress } = settings;
    if (!limits.ask(networks.get(request.socket) ?? '')) return page(429, abuseAddress, { 'Retry-After': '1' });
    const asked = { method: request.method ?? '', target: request.url ?? '', hosts: hostsOf(request.rawHeaders) };
    return replyTo(book, asked, { abuseAddress, isComplete: watch.isComplete(), nonce });
  };
  const server = createServer(
    {
      maxHeaderSize: headerOctets,
      headersTimeout: headerMs,
      requestTimeout: headerMs,
      keepAliveTimeout: idleMs,
      connectionsCheckingInterval: 1_000,
      // Counted and answered by us, as every other request is.
      requireHostHeader: false,
    },
    (request, response) => {
      const reply = answer(request);
      watch.answered(reply.status);
      send(request, response, reply);
    },
  );
  server.maxConnections = allConnections;
  server.on('connection', (socket) => {
    const network = AddressLimits.networkOf(socket.remoteAddress);
    if (!limits.open(network)) return void socket.destroy();
    networks.set(socket, network);
    socket.once('close', () => limits.close(network));
  });
  server.on('clientError', refuseBytes);
  server.on('connect', (_request, socket) =>
    socket.end('HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\n\r\n'),
  );
  await listen(server, settings);
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      limits.stop();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Reply): void {
  // What follows an unread body cannot be told from it.
  const hasBody = request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;
  response.writeHead(status, {
    ...headers,
    'Content-Length': String(Buffer.byteLength(body)),
    ...(hasBody ? { Connection: 'close' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function hostsOf(raw: readonly string[]): string[] {
  const hosts: string[] = [];
  for (let at = 0; at < raw.length; at += 2) if (raw[at]!.toLowerCase() === 'host') hosts.push(raw[at + 1]!);
  return hosts;
}

function refuseBytes(error: NodeJS.ErrnoException, socket: import('node:stream').Duplex): void {
  if (!socket.writable) return void socket.destroy();
  const line = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  socket.end(`HTTP/1.1 ${line}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

async function listen(server: Server, { host, port }: EdgeSettings): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  await promise;
  server.off('error', reject);
}
