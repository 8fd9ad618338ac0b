import type { UnknownReason } from '../model/answer.ts';
import type { LoginSecEvent } from '../model/extension.ts';
import type { EppObject, EppVerb } from '../model/request.ts';
import type { Greeting } from '../model/session.ts';

/** The address of a registry and the credentials of both sides. */
export type EppEndpoint = {
  readonly host: string;
  readonly port: number;
  /** Name in the server certificate. Default: `host`. */
  readonly servername?: string;
  /** PEM of the CA to trust instead of the public ones. */
  readonly ca?: string | Buffer | readonly (string | Buffer)[];
  /** Client certificate and key, PEM. */
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  /** Passphrase of the key, if it is encrypted. */
  readonly passphrase?: string;
  /**
   * Accepted SHA-256 hashes of the server's public key (SPKI, base64), checked in addition to the CA. A renewed certificate keeps its
   * key.
   */
  readonly pins?: readonly string[];
  /** Our source address, if the registry allows certain addresses only. */
  readonly localAddress?: string;
  /** TLS ciphers in OpenSSL's format, if the default list does not work. */
  readonly ciphers?: string;
};

export type EppCredentials = {
  readonly clID: string;
  readonly pw: string;
  /** Changes the password at the next login. */
  readonly newPW?: string;
  /** Sent in loginSec if the registry offers it. */
  readonly userAgent?: { readonly app?: string; readonly tech?: string; readonly os?: string };
};

/** One command before it is sent. */
export type JournalEntry<C = unknown> = {
  readonly clTRID: string;
  readonly registry: string;
  readonly object: EppObject;
  readonly verb: EppVerb;
  /** The transfer operation, for transfers. */
  readonly op?: string;
  /** Names or ids that the command is about. */
  readonly targets: readonly string[];
  /** False for check, info, poll request and transfer query: nothing changes at the registry. */
  readonly transform: boolean;
  /** The whole frame, including secrets: encrypt it before storing. */
  readonly frame: string;
  /** The value that the caller passed with the command. */
  readonly context: C | undefined;
};

/**
 * The write-ahead journal of the caller. `prepared` is awaited before any byte is sent; if it rejects, nothing is sent.
 * The other notes follow in order. Their failures are reported as events and never change the answer.
 */
export type Journal<C = unknown> = {
  prepared(entry: JournalEntry<C>): Promise<void>;
  sent?(clTRID: string): void | Promise<void>;
  answered?(
    clTRID: string,
    answer: { readonly code: number; readonly svTRID: string; readonly frame: string },
  ): void | Promise<void>;
  unknown?(clTRID: string, why: UnknownReason, text: string): void | Promise<void>;
  /** Prepared, but the connection was lost before the first byte. */
  unsent?(clTRID: string, why: string): void | Promise<void>;
};

/** A lease is the right to hold one connection of the account. Across processes it is a database row. */
export type ConnectionLease = {
  readonly id: string;
  release(): Promise<void>;
  /** Fires when the lease is lost or was given to another process: the session closes after its command in flight. */
  readonly lost?: AbortSignal;
  /** Fires when a process without a session requests one: the session closes when it is idle or its turn is over. */
  readonly requested?: AbortSignal;
};
export type ConnectionLeases = {
  /**
   * Null: other processes hold all leases and are notified that one is requested. `onlySpare`: do not take the last lease of another
   * process.
   */
  acquire(options?: { readonly onlySpare: boolean }): Promise<ConnectionLease | null>;
};

/** The number of commands that may be sent now; if none, the wait until the next. */
export type Grant = { readonly granted: number; readonly waitMs: number };
/** Logins are paused for this long, because the last one was answered with this code. */
export type LoginPause = { readonly code: number; readonly delayMs: number };

/**
 * The rate limit of an account and its login pauses. The default covers this process only. Processes that share an account share one
 * rate limit and pause together.
 */
export type AccountRateLimit = {
  /** `wanted`: the number of commands that could be sent at once. */
  take(wanted: number): Grant | Promise<Grant>;
  /** A login counts like a command but cannot be delayed, so the balance may become negative. */
  charge(): void;
  /**
   * Null: a login may be tried. After a pause one process tries first, and the others stay paused until its login is answered.
   * `isAlone`: this process has no session. One such login is allowed after the first part of a session-limit pause, because the surplus
   * session may be gone.
   */
  mayLogIn(isAlone: boolean): LoginPause | null | Promise<LoginPause | null>;
  /** Reports a failed login, with its code if there was an answer. Returns the pause that starts; null: none, or one was running. */
  failed(code: number | undefined): LoginPause | null | Promise<LoginPause | null>;
  /** Reports a successful login. True: this ended a pause. */
  worked(): boolean | Promise<boolean>;
};

/** Events for the operator. None contains a secret. */
export type EppClientEvent =
  | { readonly type: 'session-opened'; readonly svID: string; readonly greeting: Greeting }
  | { readonly type: 'session-closed'; readonly why: string }
  | { readonly type: 'login-security'; readonly events: readonly LoginSecEvent[] }
  | { readonly type: 'login-refused'; readonly code: number; readonly text: string }
  | { readonly type: 'logins-stopped'; readonly code: number; readonly delayMs: number }
  | { readonly type: 'backing-off'; readonly delayMs: number; readonly why: string }
  /** A login succeeded after a failed one, of this process or of another. */
  | { readonly type: 'logins-resumed' }
  | { readonly type: 'unknown-outcome'; readonly clTRID: string; readonly why: UnknownReason }
  | { readonly type: 'unhandled-namespaces'; readonly uris: readonly string[] }
  | { readonly type: 'message-waiting'; readonly count: number }
  | { readonly type: 'journal-fault'; readonly clTRID: string; readonly note: string; readonly text: string };
