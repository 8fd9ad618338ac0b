/** Every error that this library throws on purpose is one of these; none carries a password or an auth code. */
export class EppError extends Error {
  override name = 'EppError';
}

/** The request breaks a rule of the protocol or of the registry profile. Nothing was sent. */
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

/** No byte of the command left this machine, so nothing can have happened at the registry. */
export class EppUnsentError extends EppError {
  override name = 'EppUnsentError';
  readonly why: UnsentReason;
  /** The registry's code when a login was refused (2200, 2501, 2502 ...). */
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
  | 'no-slot'
  | 'session-lost'
  | 'frame-too-large'
  | 'closed';

/** `unsafe` is a DTD or an entity: never an honest mistake. */
export type ReadFault = 'frame' | 'xml' | 'unsafe' | 'schema' | 'shape';

/** A frame that cannot be framed, parsed or read as what it should be. */
export class EppReadError extends EppError {
  override name = 'EppReadError';
  readonly kind: ReadFault;
  /** A path such as `domain:create/domain:period`, where one is known. */
  readonly at: string | undefined;
  constructor(kind: ReadFault, detail: string, at?: string) {
    super(at === undefined ? detail : `${at}: ${detail}`);
    this.kind = kind;
    this.at = at;
  }
}
