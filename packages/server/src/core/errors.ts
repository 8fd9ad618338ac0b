import type { Help } from './help.ts';

/** Every refusal of the business rules, with its sentence. Each interface adds its own status and advice. */
export const sentences = {
  invalid_argument: 'The request has invalid or missing values.',
  not_available_yet: 'This feature is not available yet.',
  unauthorized: 'The credentials are missing or incorrect.',
  insufficient_funds: 'The balance does not cover this purchase.',
  scope_missing: 'This API key lacks a scope.',
  account_suspended: 'This reseller account is suspended.',
  operator_only: 'Only the operator may do this.',
  not_found: 'The object was not found.',
  conflict: 'The object is in a state that does not allow this.',
  already_exists: 'This object already exists.',
  in_use: 'The object is in use.',
  managed_record: 'This record is managed by a service of Namehold.',
  operation_in_progress: 'Another operation on this domain is still in progress.',
  precondition_failed: 'The object has changed since you read it.',
  rate_limited: 'Too many requests.',
  unavailable: 'The service is temporarily unavailable.',
  registry_unavailable: 'The registry is temporarily unavailable. Nothing was ordered.',
  domain_not_available: 'The domain name is not available.',
  tld_not_offered: 'This TLD is not offered.',
  price_not_set: 'There is no price for this in your currency.',
  price_guard: 'The price is above what the request allows.',
  price_guard_required: 'A premium domain requires a price guard.',
  quote_expired: 'The quote is no longer valid.',
  already_renewed: 'The domain does not expire on the date in the order.',
  domain_blocked: 'A status of the domain does not allow this.',
  transfer_not_possible: 'The domain cannot be transferred now.',
  registry_refused: 'The registry refused the command.',
} as const;

export type RefusalCode = keyof typeof sentences;

export interface FieldProblem {
  readonly field: string;
  readonly code: string;
  readonly message: string;
  /** What would help; HTTP shows it as a call with the message. */
  readonly help?: Help;
}

export interface RefusalDetails {
  readonly errors?: readonly FieldProblem[];
  /** When a retry is useful. */
  readonly retryAfterSeconds?: number;
  /** Data for programs, such as `missing` with insufficient funds. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** What would help; HTTP shows it as a call with the sentence. */
  readonly help?: Help;
}

/** A definite refusal, with a sentence for the caller. Any other thrown error is a defect and is rendered as `internal`. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: RefusalCode;
  readonly details: RefusalDetails;
  constructor(code: RefusalCode, sentence?: string, details: RefusalDetails = {}) {
    super(sentence ?? sentences[code]);
    this.code = code;
    this.details = details;
  }
}

/** One bad field; the same shape that the schemas produce. */
export function badField(field: string, message: string, code = 'invalid', help?: Help): Refusal {
  const details = help ? { help } : {};
  return new Refusal('invalid_argument', `${field}: ${message}`, {
    errors: [{ field, code, message, ...details }],
    ...details,
  });
}

/** The error of one entry of a list, named with its position: `rules.3.percent`. */
export function inEntry<T>(list: string, place: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const bad = error instanceof Refusal ? error.details.errors?.[0] : undefined;
    throw bad ? badField(`${list}.${place}.${bad.field}`, bad.message, bad.code, bad.help) : error;
  }
}

export function notFound(what: string): Refusal {
  return new Refusal('not_found', `${what[0]?.toUpperCase()}${what.slice(1)} not found.`);
}

/** The user was authenticated a moment ago, by a session that no longer exists. */
export const sessionOver = (): Refusal => new Refusal('unauthorized', 'Your session has ended. Sign in again.');
