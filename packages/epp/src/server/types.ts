import type { WallClock } from '../clock.ts';
import type { AnswerExtensions } from '../model/extension.ts';
import type { EppRequest } from '../model/request.ts';
import type { ResponseSpec } from '../model/response.ts';
import type { Greeting, LoginRequest } from '../model/session.ts';
import type { Namespaces } from '../profile.ts';

/** A command that passed framing, parsing, the schemas and the session rules. Narrow by `object`, then by `verb`. */
export type ParsedCommand = EppRequest & { readonly clTRID?: string; readonly frame: string };
/** Commands for dispatch; the session handles login, logout and hello itself. */
export type DispatchedCommand = Exclude<EppRequest, { object: 'session' }> & {
  readonly clTRID?: string;
  readonly frame: string;
};

type ServerTls = {
  readonly key: string | Buffer;
  readonly cert: string | Buffer;
  /** CA of the client certificates. */
  readonly clientCa?: string | Buffer;
  readonly requireClientCert?: boolean;
  /** Accepted TLS ciphers in OpenSSL's format. */
  readonly ciphers?: string;
};

/** The client of a connection. */
export type Peer = {
  readonly address: string;
  readonly port: number;
  /** SHA-256 of the client certificate, hex with colons. */
  readonly certificateSha256?: string;
  readonly certificateSubject?: string;
  readonly tlsProtocol: string;
};

/** A connection as dispatch and the hooks see it. The server may store data in `attributes`. */
export type ServerSession = {
  readonly id: string;
  readonly peer: Peer;
  /** Set after login. */
  readonly clID: string | undefined;
  readonly objURIs: readonly string[];
  readonly extURIs: readonly string[];
  readonly commandCount: number;
  readonly attributes: Map<string, unknown>;
  /** Closes the connection now. */
  destroy(why: string): void;
};

export type LoginResult =
  | {
      readonly kind: 'accepted';
      /** Sessions that this client may hold; one more is answered 2502. */
      readonly maxSessions?: number;
      /** loginSec events and other extension answers. */
      readonly ext?: AnswerExtensions;
    }
  | { readonly kind: 'refused'; readonly response: ResponseSpec };

/** A fault on the wire, for servers that test their clients. */
export type WireFault =
  /** No answer; the connection stays open. */
  | { readonly do: 'drop' }
  | { readonly do: 'close' }
  | { readonly do: 'delay'; readonly ms: number }
  /** Writes the first bytes of the frame, then closes. */
  | { readonly do: 'cut'; readonly afterBytes: number }
  /** Writes half of the frame, then nothing more. */
  | { readonly do: 'half-frame' }
  | { readonly do: 'pieces'; readonly bytes: number; readonly gapMs: number }
  /** Sends this answer instead. */
  | { readonly do: 'answer'; readonly response: ResponseSpec };

/** An incorrect answer in a complete frame. */
export type ShapedAnswer = {
  readonly response: ResponseSpec;
  /** Answers with this id instead of the command's own. */
  readonly clTRID?: string | undefined;
  /** Changes the finished XML. */
  readonly rewrite?: (xml: string) => string;
};

export type WireHooks = {
  /** Before the command is processed. Every fault except `delay` and `pieces` prevents processing. */
  beforeCommand?(command: ParsedCommand, session: ServerSession): Promise<WireFault | undefined>;
  /** The command is processed and committed; its answer may still be changed. */
  shapeAnswer?(
    command: ParsedCommand,
    session: ServerSession,
    response: ResponseSpec,
  ): Promise<ShapedAnswer | undefined>;
  /** The command is processed and committed; its answer is about to be sent. */
  beforeAnswer?(command: ParsedCommand, session: ServerSession, response: ResponseSpec): Promise<WireFault | undefined>;
};

/** Reasons why a frame violates its schema; empty if it is valid. */
export type FrameValidator = (frame: Uint8Array) => readonly string[];

export type EppServerEvent =
  | { readonly type: 'connected'; readonly session: string; readonly peer: Peer }
  | { readonly type: 'logged-in'; readonly session: string; readonly clID: string }
  | {
      readonly type: 'answered';
      readonly session: string;
      readonly clID?: string;
      readonly command: string;
      readonly code: number;
    }
  | { readonly type: 'hello'; readonly session: string }
  | { readonly type: 'broken-frame'; readonly session: string; readonly text: string }
  | { readonly type: 'dispatch-failed'; readonly session: string; readonly command: string; readonly error: unknown }
  | { readonly type: 'disconnected'; readonly session: string; readonly why: string };

export type EppServerOptions = {
  readonly tls: ServerTls;
  readonly namespaces: Namespaces;
  /** Extension URIs beyond `namespaces` that are served; their elements reach dispatch as `ext.other`. */
  readonly otherExtensionURIs?: readonly string[];
  readonly svID: string;
  /** Overrides the services in the greeting. Default: all of `namespaces` and `otherExtensionURIs`. */
  readonly greeting?: () => Partial<Greeting>;
  authenticate(login: LoginRequest, session: ServerSession): Promise<LoginResult>;
  dispatch(command: DispatchedCommand, session: ServerSession): Promise<ResponseSpec>;
  /** Returns the validator of incoming frames, usually `loadSchemas().validator`. Without it only the structure is checked. */
  readonly loadValidator?: () => Promise<FrameValidator>;
  /** Validates every outgoing frame and throws; for tests. */
  readonly validateAnswers?: FrameValidator;
  readonly newSvTRID?: () => string;
  readonly clock?: WallClock;
  readonly maxFrameBytes?: number;
  readonly maxConnections?: number;
  /** Failed logins on one connection before it is closed with 2501. */
  readonly maxFailedLogins?: number;
  readonly idleMs?: number;
  readonly hooks?: WireHooks;
  readonly onEvent?: (event: EppServerEvent) => void;
};

export type EppServer = {
  /** Resolves with the port; 0 selects a free one. */
  listen(port: number, host?: string): Promise<number>;
  readonly sessions: readonly ServerSession[];
  close(): Promise<void>;
};
