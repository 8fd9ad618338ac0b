import { createHash } from 'node:crypto';
import { type ClientRequest, type IncomingHttpHeaders, request as plainRequest } from 'node:http';
import { Agent, type RequestOptions, request as tlsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { EppEndpoint } from '@namehold/epp';
import type { UpstreamProfile } from './profile.ts';

/** Loopback traffic cannot be intercepted, so plain HTTP is allowed. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Call {
  readonly method: Method;
  /** Below the base path, percent-encoded. */
  readonly path: string;
  readonly query?: Parameters;
  readonly form?: Parameters;
  /** For upstreams with a format of their own, which `sign` writes. */
  readonly message?: Readonly<Record<string, unknown>>;
  /** Another host than that of the profile. */
  readonly host?: string;
  /** Only if the upstream blocks an account that repeats this request: which limit applies, and the domains that it is about. */
  readonly repeats?: {
    readonly limit: 'query' | 'check' | 'create';
    readonly names: readonly string[];
    /** Of an order: what makes it identical to another one. */
    readonly key?: string;
  };
}

/** A key with a list is repeated. */
type Parameters = Readonly<Record<string, string | readonly string[]>>;

export interface SignedCall extends Call {
  readonly headers?: Readonly<Record<string, string>>;
  readonly content?: { readonly type: string; readonly text: string };
}

export interface Login {
  readonly user: string;
  readonly secret: string;
  /** The token of a login, at an upstream with sessions. Left out in the login itself. */
  readonly token?: string | undefined;
}

export interface Answered {
  readonly kind: 'answered';
  readonly status: number;
  /** Retry-After in seconds, if present. */
  readonly retryAfter: number | undefined;
  readonly headers?: IncomingHttpHeaders;
  /** Undefined: not in the format of the upstream, which is JSON for most. */
  readonly body: unknown;
  readonly text: string;
}

/** `unsent`: no byte was sent. `lost`: it may have arrived. */
export type Exchange =
  | Answered
  | { readonly kind: 'unsent'; readonly why: string }
  | { readonly kind: 'lost'; readonly why: 'timeout' | 'socket-died' | 'unreadable-answer'; readonly text: string };

/** Address and credentials of an upstream, as for a registry with EPP. */
interface UpstreamEndpoint extends EppEndpoint {
  readonly login: Login;
  readonly sign: (call: Call, login: Login) => SignedCall;
  /** Undefined: JSON. */
  readonly read?: ((text: string) => unknown) | undefined;
}

export interface Wire {
  send(call: Call, options: SendOptions): Promise<Exchange>;
  close(): void;
}

interface SendOptions {
  readonly timeoutMs: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string | undefined;
  /** Called before the first byte is sent. */
  readonly onSent?: () => void;
}

/**
 * One request and its answer. The certificate is always verified, redirects are not followed (they would receive the key), and answers
 * have limits on size and time. Changes use a new connection, because a kept one may be closed without notice.
 */
export function openWire(way: UpstreamEndpoint, profile: UpstreamProfile): Wire {
  const isTls = profile.transport === 'https';
  if (!isTls && !isLoopback(way.host))
    throw new Error(`plain HTTP is allowed only on this machine, not to ${way.host}`);
  const { login, sign, read = parseJson, pins = [], ...endpoint } = way;
  const agent = isTls
    ? new Agent({ keepAlive: true, maxSockets: profile.limits.sessions, timeout: 60_000 })
    : undefined;
  return {
    send(unsigned, options) {
      const call = sign(unsigned, { ...login, token: options.token });
      const content = contentOf(call);
      const query = call.query ? `?${encoded(call.query)}` : '';
      const head: RequestOptions = {
        ...(endpoint as RequestOptions),
        ...(call.host === undefined ? {} : { host: call.host, servername: call.host }),
        minVersion: 'TLSv1.2',
        rejectUnauthorized: true,
        method: call.method,
        path: `${profile.basePath}${call.path}${query}`,
        ...(call.method === 'GET' && agent ? { agent } : { agent: false }),
        headers: {
          Accept: 'application/json',
          'User-Agent': 'Namehold',
          ...(content && {
            'Content-Type': content.type,
            'Content-Length': String(Buffer.byteLength(content.text)),
          }),
          ...call.headers,
          ...options.headers,
        },
      };
      const open = isTls ? tlsRequest : plainRequest;
      return exchange(() => open(head), content?.text, {
        ...options,
        pins,
        answerBytes: profile.limits.answerBytes,
        secrets: [login.secret, options.token ?? ''],
        read,
      });
    },
    close: () => agent?.destroy(),
  };
}

function contentOf({ content, form }: SignedCall): SignedCall['content'] {
  return form === undefined ? content : { type: 'application/x-www-form-urlencoded', text: encoded(form) };
}

function encoded(parameters: Parameters): string {
  const pairs = Object.entries(parameters).flatMap(([key, value]) =>
    (typeof value === 'string' ? [value] : value).map((each): [string, string] => [key, each]),
  );
  return new URLSearchParams(pairs).toString();
}

interface ExchangeOptions {
  readonly pins: readonly string[];
  readonly answerBytes: number;
  readonly secrets: readonly string[];
  readonly read: (text: string) => unknown;
}

/** An upstream may repeat the request in its answer, and answers are stored. A shorter text would hide parts of other words. */
const leastHidden = 8;

const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((hidden, secret) => (secret.length < leastHidden ? hidden : hidden.replaceAll(secret, '***')), text);

function exchange(
  open: () => ClientRequest,
  body: string | undefined,
  { timeoutMs, onSent, pins, answerBytes, secrets, read }: SendOptions & ExchangeOptions,
): Promise<Exchange> {
  return new Promise((resolve) => {
    let isSent = false;
    const request = open();
    const end = (outcome: Exchange) => {
      clearTimeout(timer);
      resolve(outcome);
      // After a complete answer the connection is kept for the next query.
      if (outcome.kind !== 'answered') request.destroy();
    };
    const broken = (why: 'timeout' | 'socket-died', text: string) =>
      end(isSent ? { kind: 'lost', why, text } : { kind: 'unsent', why: text });
    const timer = setTimeout(() => broken('timeout', `no answer within ${timeoutMs} ms`), timeoutMs);
    const leave = (socket: Socket) => {
      if (!isPinned(socket, pins)) return broken('socket-died', 'the key of the server is not pinned');
      isSent = true;
      onSent?.();
      request.end(body);
    };
    request.on('error', (error) => broken('socket-died', error.message));
    request.on('socket', (socket) => {
      // Writes only after the connection is established, so that an unsent request is known to be unsent.
      if (!socket.connecting) leave(socket);
      else socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', () => leave(socket));
    });
    request.on('response', (response) => {
      const parts: Buffer[] = [];
      let size = 0;
      response.on('data', (part: Buffer) => {
        size += part.length;
        parts.push(part);
        if (size > answerBytes)
          end({ kind: 'lost', why: 'unreadable-answer', text: `the answer has more than ${answerBytes} bytes` });
      });
      response.on('aborted', () => broken('socket-died', 'the answer was interrupted'));
      response.on('error', (error) => broken('socket-died', error.message));
      response.on('end', () => {
        if (!response.complete) return broken('socket-died', 'the answer was interrupted');
        const text = withoutSecrets(Buffer.concat(parts).toString('utf8'), secrets);
        const after = Number(response.headers['retry-after']);
        end({
          kind: 'answered',
          status: response.statusCode ?? 0,
          retryAfter: Number.isFinite(after) && after >= 0 ? after : undefined,
          headers: response.headers,
          body: read(text),
          text,
        });
      });
    });
  });
}

function isPinned(socket: Socket, pins: readonly string[]): boolean {
  if (pins.length === 0) return true;
  const key = socket instanceof TLSSocket ? socket.getPeerX509Certificate()?.publicKey : undefined;
  const spki = key?.export({ type: 'spki', format: 'der' });
  return spki !== undefined && pins.includes(createHash('sha256').update(spki).digest('base64'));
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
