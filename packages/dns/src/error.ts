/** Root of every error this library throws on purpose. Anything else that escapes is a defect. */
export class DnsError extends Error {
  override readonly name: string = 'DnsError';
}

/** Octets that do not form what they should. `offset` counts from the start of the message. */
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

/** One field of one record (or RRset) that was refused, and why. */
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

/** Something that is allowed but probably not meant. */
export interface Warning {
  readonly field: string;
  readonly reason: string;
}
