/** Base class of every error that this library throws on purpose. Any other error is a defect. */
export class DnsError extends Error {
  override readonly name: string = 'DnsError';
}

/** Octets that are malformed. `offset` counts from the start of the message. */
export class WireError extends DnsError {
  override readonly name = 'WireError';
  readonly offset: number;
  constructor(reason: string, offset: number) {
    super(`${reason} (octet ${offset})`);
    this.offset = offset;
  }
}

/** Text that is not a domain name. */
export class NameError extends DnsError {
  override readonly name = 'NameError';
  readonly reason: string;
  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/** One refused field of a record or RRset, and the reason. */
export class RecordError extends DnsError {
  override readonly name = 'RecordError';
  readonly field: string;
  readonly reason: string;
  constructor(field: string, reason: string) {
    super(`${field}: ${reason}`);
    this.field = field;
    this.reason = reason;
  }
}

/** Allowed input that is probably a mistake. */
export interface Warning {
  readonly field: string;
  readonly reason: string;
}
