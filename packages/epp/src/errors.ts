/** Base class of every error that this library throws on purpose. None contains a password or an auth code. */
export class EppError extends Error {
  override name = 'EppError';
}

/** The request violates the protocol or the registry profile. Nothing was sent. */
export class EppInputError extends EppError {
  override name = 'EppInputError';
  readonly field: string;
  readonly rule: string;
  constructor(field: string, rule: string) {
    super(`${field}: ${rule}`);
    this.field = field;
    this.rule = rule;
  }
}

/** No byte of the command was sent, so nothing can have happened at the registry. */
export class EppUnsentError extends EppError {
  override name = 'EppUnsentError';
  readonly why: UnsentReason;
  /** The registry's code if a login was refused (2200, 2501, 2502 ...). */
  readonly code: number | undefined;
  constructor(why: UnsentReason, detail: string, code?: number, options?: ErrorOptions) {
    super(`not sent (${why}): ${detail}`, options);
    this.why = why;
    this.code = code;
  }
}

export type UnsentReason =
  | 'connect-failed'
  | 'greeting-failed'
  | 'login-refused'
  | 'login-failed'
  | 'logins-stopped'
  | 'session-limit'
  | 'journal-failed'
  | 'no-session'
  | 'session-lost'
  | 'frame-too-large'
  | 'closed';

/** `unsafe` is a DTD or an entity, which no regular client sends. */
type ReadFault = 'frame' | 'xml' | 'unsafe' | 'schema' | 'shape';

/** A frame that cannot be split, parsed or read as the expected document. */
export class EppReadError extends EppError {
  override name = 'EppReadError';
  readonly kind: ReadFault;
  /** A path such as `domain:create/domain:period`, if known. */
  readonly at: string | undefined;
  constructor(kind: ReadFault, detail: string, at?: string) {
    super(at === undefined ? detail : `${at}: ${detail}`);
    this.kind = kind;
    this.at = at;
  }
}
