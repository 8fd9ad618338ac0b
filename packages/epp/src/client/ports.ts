import type { UnknownReason } from '../model/answer.ts';
import type { LoginSecEvent } from '../model/extension.ts';
import type { EppObject, EppVerb } from '../model/request.ts';
import type { Greeting } from '../model/session.ts';

/** Where a registry listens and how both sides prove who they are. */
export type EppEndpoint = {
  readonly host: string;
  readonly port: number;
  /** Name that the server certificate must carry; `host` when left out. */
  readonly servername?: string;
  /** PEM of the CA to trust instead of the public ones. */
  readonly ca?: string | Buffer | readonly (string | Buffer)[];
  /** Client certificate and key, PEM. */
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  /** Of the key, where it is encrypted. */
  readonly passphrase?: string;
  /** SHA-256 of the public keys (SPKI, base64) that the server may have; checked besides the CA. A renewed certificate keeps its key. */
  readonly pins?: readonly string[];
  /** Address of ours that connections go out from, where a registry knows us by it. */
  readonly localAddress?: string;
  /** What is offered in the handshake, as OpenSSL writes it, where the usual list does not fit. */
  readonly ciphers?: string;
};

export type EppCredentials = {
  readonly clID: string;
  readonly pw: string;
  /** Changes the password at the next login. */
  readonly newPW?: string;
  /** Sent in loginSec where the registry offers it. */
  readonly userAgent?: { readonly app?: string; readonly tech?: string; readonly os?: string };
};

/** One command about to leave. */
export type JournalEntry<C = unknown> = {
  readonly clTRID: string;
  readonly registry: string;
  readonly object: EppObject;
  readonly verb: EppVerb;
  /** Transfer operation, where there is one. */
  readonly op?: string;
  /** Names or ids that the command is about. */
  readonly targets: readonly string[];
  /** False for check, info, poll request and transfer query: nothing changes at the registry. */
  readonly transform: boolean;
  /** The whole frame, secrets included: seal it before storing. */
  readonly frame: string;
  /** Whatever the caller passed along. */
  readonly context: C | undefined;
};

/**
 * The write-ahead journal of the caller. `prepared` is awaited before any byte leaves; when it rejects, nothing is sent.
 * The other notes follow in order; their failures are reported as events and never change the answer.
 */
export type Journal<C = unknown> = {
  prepared(entry: JournalEntry<C>): Promise<void>;
  sent?(clTRID: string): void | Promise<void>;
  answered?(
    clTRID: string,
    answer: { readonly code: number; readonly svTRID: string; readonly frame: string },
  ): void | Promise<void>;
  unknown?(clTRID: string, why: UnknownReason, text: string): void | Promise<void>;
  /** Prepared, but the connection died before the first byte. */
  unsent?(clTRID: string, why: string): void | Promise<void>;
};

/** A slot is the right to hold one connection of the account. Across processes it is a leased row. */
export type ConnectionLease = {
  readonly id: string;
  release(): Promise<void>;
  /** Fires when the lease is lost or another process is to have it: the session is closed after its command in flight. */
  readonly lost?: AbortSignal;
  /** Fires when another process that has none would like it: the session is closed when it has nothing to do, or has had its turn. */
  readonly requested?: AbortSignal;
};
export type ConnectionLeases = {
  /** Null: others have them all, and know from now on that one is wanted. `onlySpare`: not if it is the last one of who has it. */
  acquire(options?: { readonly onlySpare: boolean }): Promise<ConnectionLease | null>;
};

/** So many commands may leave now; none: so long until there is one. */
export type Grant = { readonly granted: number; readonly waitMs: number };
/** No login is tried for so long, because the last one was answered with this code. */
export type LoginPause = { readonly code: number; readonly delayMs: number };

/**
 * How fast an account may speak, and whether it may log in. Of this process alone unless one is handed in: processes that share an
 * account keep one pace, and pause together.
 */
export type AccountRateLimit = {
  /** `wanted`: as many could leave at once. */
  take(wanted: number): Grant | Promise<Grant>;
  /** A login counts like any command but cannot be put off; it leaves a debt. */
  charge(): void;
  /**
   * Null: a login may be tried. When a pause is over one goes first, and the others hear of a pause until that one is answered. `isAlone`: there
   * is no session at all; what was one session too many may be gone with the others, and one login goes ahead after the first part of that pause.
   */
  mayLogIn(isAlone: boolean): LoginPause | null | Promise<LoginPause | null>;
  /** A login that did not work, with its code where there was an answer. Returns the pause that begins; null: none, or one had begun. */
  failed(code: number | undefined): LoginPause | null | Promise<LoginPause | null>;
  /** True: a pause is over by it. */
  worked(): boolean | Promise<boolean>;
};

/** What an operator may want to see. None of these carries a secret. */
export type EppClientEvent =
  | { readonly type: 'session-opened'; readonly svID: string; readonly greeting: Greeting }
  | { readonly type: 'session-closed'; readonly why: string }
  | { readonly type: 'login-security'; readonly events: readonly LoginSecEvent[] }
  | { readonly type: 'login-refused'; readonly code: number; readonly text: string }
  | { readonly type: 'logins-stopped'; readonly code: number; readonly delayMs: number }
  | { readonly type: 'backing-off'; readonly delayMs: number; readonly why: string }
  /** A login worked after one that did not, of this process or of another. */
  | { readonly type: 'logins-resumed' }
  | { readonly type: 'unknown-outcome'; readonly clTRID: string; readonly why: UnknownReason }
  | { readonly type: 'unhandled-namespaces'; readonly uris: readonly string[] }
  | { readonly type: 'message-waiting'; readonly count: number }
  | { readonly type: 'journal-fault'; readonly clTRID: string; readonly note: string; readonly text: string };
