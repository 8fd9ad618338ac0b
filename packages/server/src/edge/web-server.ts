import { randomBytes } from 'node:crypto';
import {
  createServer as createHttp,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createHttps, type Server as HttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { requireFreePort, systemClock } from '@namehold/base';
import { ConnectionLimits, limitHandshakes, networkOf } from '../core/connection-limits.ts';
import type { AcmeChallengePages } from './acme-challenge-pages.ts';
import type { Certificates } from './certificates.ts';
import type { Click, ClickCounter } from './click-counter.ts';
import { Connection, type ParserError } from './connection.ts';
import { readRawRequest } from './raw-request.ts';
import { originForm, page, type Reply, replyTo, type WebRequest } from './reply.ts';
import { RequestLimits } from './request-limits.ts';
import type { RuleCache } from './rule-cache.ts';
import type { EdgeSettings } from './settings.ts';

const headerBytes = 8_192;
const headerMs = 10_000;
const idleMs = 5_000;
const allConnections = 20_000;
const headLimits = { bytes: headerBytes, ms: headerMs };

interface WebServer {
  readonly port: number;
  readonly tlsPort: number | undefined;
  close(): Promise<void>;
}

export interface WebMetrics {
  isComplete(): boolean;
  answered(status: number): void;
}

interface WebParts {
  readonly cache: RuleCache;
  readonly settings: EdgeSettings;
  readonly certificates: Certificates | undefined;
  readonly proofs: AcmeChallengePages;
  readonly clicks: ClickCounter;
  readonly watch: WebMetrics;
}

const options = {
  maxHeaderSize: headerBytes,
  headersTimeout: headerMs,
  requestTimeout: headerMs,
  keepAliveTimeout: idleMs,
  connectionsCheckingInterval: 1_000,
  // Requests without a Host header are counted and answered here like all others.
  requireHostHeader: false,
};

/** Answers HTTP from the rules in memory, and HTTPS for hosts with certificates. Request bodies are never read. */
export async function serveWeb(parts: WebParts): Promise<WebServer> {
  const { settings, certificates } = parts;
  const limits = new RequestLimits(settings.limits.requestsPerSecond);
  const connections = new ConnectionLimits({ perNetwork: settings.limits.connections, inAll: allConnections });
  const opened: Opened = new WeakMap();
  const answer = answerer(parts, limits, opened);
  const servers: (HttpServer | HttpsServer)[] = [];
  // Node's list of connections lacks those in a TLS handshake, so a stop would wait for them.
  const sockets = new Set<Socket>();
  const close = async () => {
    limits.stop();
    const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
  };
  const open = async (server: HttpServer | HttpsServer, port: number, setting: string): Promise<number> => {
    await requireFreePort({ host: settings.host, port, setting, protocols: ['tcp'] });
    guard(server, { limits: connections, sockets, opened }, answer);
    servers.push(server);
    await listen(server, settings.host, port);
    return (server.address() as AddressInfo).port;
  };
  try {
    const port = await open(createHttp(options, listener(answer, opened)), settings.port, 'NAMEHOLD_REDIRECT_PORT');
    const tlsPort =
      certificates && settings.tls
        ? await open(secure(certificates, listener(answer, opened)), settings.tls.port, 'NAMEHOLD_REDIRECT_TLS_PORT')
        : undefined;
    return { port, tlsPort, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The parts of a request that determine the response. */
interface Incoming {
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly socket: Duplex & { readonly remoteAddress?: string | undefined };
}

/** Open connections by the socket that the parser reads: the TLS socket, if there is one. */
type Opened = WeakMap<Duplex, Connection>;

type Answerer = (request: Incoming, send: (reply: Reply, lines: Logs) => void) => void;

const listener =
  (answer: Answerer, opened: Opened) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const { method = '', url = '', rawHeaders, socket } = request;
    opened.get(socket)?.noteResponse(response);
    answer({ method, target: url, rawHeaders, socket }, (reply, lines) => send(request, response, reply, lines));
  };

function answerer(
  { cache, settings, proofs, clicks, watch }: WebParts,
  limits: RequestLimits,
  opened: Opened,
): Answerer {
  const nonce = () => randomBytes(16).toString('base64url');
  const { abuseAddress, deniedHosts } = settings;
  const replyOf = (webRequest: WebRequest, now: Date): Reply => {
    try {
      return replyTo(cache, webRequest, { abuseAddress, deniedHosts, isComplete: watch.isComplete(), now, nonce });
    } catch {
      // Invalid rules put only their own domain out of service.
      return page(410, abuseAddress);
    }
  };
  return (request, respond) => {
    const now = systemClock.now();
    const lines = linesOf(request.rawHeaders);
    if (lines.hasBody) opened.get(request.socket)?.noteBody();
    const done = (reply: Reply) => {
      watch.answered(reply.status);
      if (reply.by) clicks.count(clickOf(lines, reply.status, reply.by), now);
      respond(reply, lines);
    };
    if (!limits.take(networkOf(request.socket.remoteAddress)))
      return done(page(429, abuseAddress, { 'Retry-After': '1' }));
    const webRequest = {
      method: request.method,
      ...originForm(request.target, lines.hosts),
      isSecure: 'encrypted' in request.socket,
    };
    const proof = proofs.find(webRequest);
    if (proof) void proof.then((found) => done(found ?? replyOf(webRequest, now)));
    else done(replyOf(webRequest, now));
  };
}

/** Ends handshakes without SNI or with an unknown host, because there is no certificate for them. */
function secure(certificates: Certificates, listen: ReturnType<typeof listener>): HttpsServer {
  const server = createHttps(
    {
      ...options,
      minVersion: 'TLSv1.2',
      ALPNProtocols: ['http/1.1'],
      SNICallback: (host, done) => {
        const context = contextOf(certificates, host);
        if (context) done(null, context);
        else done(new Error('no certificate'));
      },
    },
    listen,
  );
  limitHandshakes(server, headerMs);
  return server;
}

/** A certificate that cannot be decrypted affects only its own domain. */
function contextOf(certificates: Certificates, host: string): SecureContext | undefined {
  try {
    return certificates.contextFor(host);
  } catch {
    return undefined;
  }
}

/** Settings of every connection. */
function guard(
  server: HttpServer | HttpsServer,
  kept: { readonly limits: ConnectionLimits; readonly sockets: Set<Socket>; readonly opened: Opened },
  answer: Answerer,
): void {
  const { limits, sockets, opened } = kept;
  server.maxConnections = allConnections;
  server.on('connection', (socket: Socket) => {
    if (!limits.admit(socket)) return;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const follow = (socket: Socket) => void opened.set(socket, new Connection(socket, headLimits));
  // Registered after Node's own listener, so the parser has already read the chunk.
  if ('setSecureContext' in server) server.on('secureConnection', follow);
  else server.on('connection', (socket: Socket) => !socket.destroyed && follow(socket));
  server.on('clientError', (error, socket) => answerUnparsed(error, socket, opened.get(socket), answer));
  server.on('connect', (_request: IncomingMessage, socket: Duplex) =>
    socket.end('HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\n\r\n'),
  );
}

function send(
  { method }: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Reply,
  { hasBody }: Logs,
): void {
  const lines: string[] = [];
  for (const name in headers) lines.push(name, headers[name]!);
  lines.push('Content-Length', String(Buffer.byteLength(body)));
  // After an unread body, the start of the next request is unknown.
  if (hasBody) lines.push('Connection', 'close');
  response.writeHead(status, lines);
  response.end(method === 'HEAD' ? undefined : body);
}

/** The request headers that are used. */
interface Logs {
  readonly hosts: readonly string[];
  readonly hasBody: boolean;
  readonly userAgent: string | undefined;
  readonly referrer: string | undefined;
}

/** One loop over the raw headers is faster than Node's header object. */
function linesOf(raw: readonly string[]): Logs {
  const hosts: string[] = [];
  let hasBody = false;
  let userAgent: string | undefined;
  let referrer: string | undefined;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]!.toLowerCase();
    if (name === 'host') hosts.push(raw[at + 1]!);
    else if (name === 'user-agent') userAgent ??= raw[at + 1]!;
    else if (name === 'referer') referrer ??= raw[at + 1]!;
    else if (name === 'content-length' || name === 'transfer-encoding') hasBody = true;
  }
  return { hosts, hasBody, userAgent, referrer };
}

function clickOf({ userAgent, referrer }: Logs, status: number, by: NonNullable<Reply['by']>): Click {
  const { domainId, rule, host } = by;
  return { domainId, rule, host, status, userAgent, referrer };
}

/** Node's parser failed. A target with non-ASCII bytes is answered nevertheless, and the connection closed. */
function answerUnparsed(
  error: ParserError,
  socket: Duplex,
  connection: Connection | undefined,
  answer: Answerer,
): void {
  if (!socket.writable) return void socket.destroy();
  const last = (work: () => void) => (connection ? connection.afterAnswers(work) : work());
  const refuse = () => {
    const line = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
    last(() => socket.end(`HTTP/1.1 ${line}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`));
  };
  if (connection?.stopReading()) return;
  const isRead = connection?.readRefused(error, (head) => {
    const read = head && readRawRequest(head);
    if (!read) return refuse();
    answer({ ...read, socket }, (reply) => last(() => sendRaw(socket, read.method, reply)));
  });
  if (!isRead) refuse();
}

function sendRaw(socket: Duplex, method: string, { status, headers, body }: Reply): void {
  const fields = Object.entries({ ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' });
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${method === 'HEAD' ? '' : body}`);
}

async function listen(server: HttpServer | HttpsServer, host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  await promise;
  server.off('error', reject);
}
