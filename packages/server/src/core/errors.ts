import type { Help } from './help.ts';

/** The catalogue: every refusal that a caller can meet. Thrown anywhere, rendered in one place, one page each in docs/errors. */
interface Entry {
  readonly status: number;
  readonly sentence: string;
  readonly fix: string;
}

const entry = (status: number, sentence: string, fix: string): Entry => ({ status, sentence, fix });

export const catalogue = {
  invalid_argument: entry(
    400,
    'The request has invalid or missing values.',
    'Read `errors`: each names a field and what it must be.',
  ),
  invalid_body: entry(
    400,
    'The body could not be read.',
    'Send valid JSON, a URL-encoded form or multipart form data, with the matching Content-Type.',
  ),
  not_available_yet: entry(
    400,
    'This is not offered yet.',
    'Leave the named option out, or use what the text offers instead.',
  ),
  unauthorized: entry(
    401,
    'Wrong or missing credentials.',
    'Send HTTP Basic: the reseller id as user, an API key as password. Revoked and expired keys answer the same.',
  ),
  credentials_in_url: entry(
    401,
    'Credentials in a URL are refused: they end up in logs.',
    'Send them in the Authorization header, and rotate the key that was in the URL.',
  ),
  insufficient_funds: entry(
    402,
    'The balance does not cover this purchase.',
    'Add money to the account, or ask for a higher credit limit.',
  ),
  ip_not_allowed: entry(
    403,
    'This API key may not be used from this address.',
    'Add the address that the text names to the whitelist of the key.',
  ),
  foreign_page: entry(
    403,
    'A page of another site asked for a change.',
    'Call from a program, from /swagger, or from an origin that the operator lists in NAMEHOLD_CORS_ORIGINS.',
  ),
  scope_missing: entry(403, 'This API key lacks a scope.', 'Use a key with the scope that the text names.'),
  account_suspended: entry(403, 'This reseller account is suspended.', 'Ask the parent reseller or the operator.'),
  operator_only: entry(403, 'Only the operator may do this.', 'Use the operator account.'),
  not_found: entry(404, 'There is no such object.', 'Check the id. Objects of other resellers answer the same.'),
  route_not_found: entry(404, 'There is no such path.', 'See /swagger for all operations.'),
  method_not_allowed: entry(405, 'This path has no such method.', 'The Allow header lists the methods.'),
  request_timeout: entry(408, 'The request did not arrive in time.', 'Send it again, whole and without a pause.'),
  conflict: entry(409, 'The object is in a state that does not allow this.', 'The text names the state.'),
  already_exists: entry(409, 'There is such an object already.', 'Use the existing one; the text names it.'),
  in_use: entry(409, 'The object is in use.', 'Remove what uses it first; the text names it.'),
  operation_in_progress: entry(
    409,
    'Another operation on this domain is still under way.',
    'Wait for the operation that the text names, then try again.',
  ),
  idempotency_in_flight: entry(
    409,
    'A request with this Idempotency-Key is still running.',
    'Wait and send the same request again: it will answer with the first result.',
  ),
  answer_not_kept: entry(
    409,
    'The request with this Idempotency-Key was answered once; the answer was too large to keep.',
    'It was not carried out again. Read the object to see what it is now; use a new key for a new request.',
  ),
  precondition_failed: entry(
    412,
    'The object has changed since you read it.',
    'Read it again and repeat the change on what you find.',
  ),
  body_too_large: entry(413, 'The body is too large.', 'Stay below the limit that the text names.'),
  uri_too_long: entry(414, 'The address is too long.', 'Send parameters in the body.'),
  unsupported_media_type: entry(
    415,
    'The Content-Type is not one that is read here.',
    'Use application/json, application/x-www-form-urlencoded or multipart/form-data.',
  ),
  idempotency_mismatch: entry(
    422,
    'This Idempotency-Key was used for another request.',
    'Use a new key for a new request.',
  ),
  precondition_required: entry(428, 'This change needs a precondition.', 'Send If-Match with the version you read.'),
  rate_limited: entry(429, 'Too many requests.', 'Wait as long as Retry-After says.'),
  headers_too_large: entry(431, 'The headers are too large.', 'Send fewer or shorter headers.'),
  internal: entry(
    500,
    'Something went wrong on our side; nothing is known to be lost.',
    'Try again with the same Idempotency-Key; quote request_id when you ask for help.',
  ),
  overloaded: entry(
    503,
    'There is more to do just now than can be done; nothing was begun.',
    'Try again after Retry-After with the same Idempotency-Key, and slower.',
  ),
  unavailable: entry(
    503,
    'The service cannot answer just now.',
    'Try again after Retry-After with the same Idempotency-Key.',
  ),
  registry_unavailable: entry(
    503,
    'The registry cannot be reached just now; nothing was ordered.',
    'Try again later, or send Prefer: respond-async to queue the order.',
  ),
  // Names and orders
  domain_not_available: entry(
    400,
    'The name is not available.',
    'Choose another name, or transfer it in where it belongs to you.',
  ),
  tld_not_offered: entry(400, 'This TLD is not on offer.', 'GET /v1/tlds lists what is.'),
  price_not_set: entry(
    400,
    'There is no price for this in your currency.',
    'Ask your parent reseller or the operator to set one.',
  ),
  price_guard: entry(
    400,
    'The price is above what the request allows.',
    'Read the price in the text; raise max_price, or ask for a new quote.',
  ),
  price_guard_required: entry(
    400,
    'A premium name is never sold without a price guard.',
    'Send max_price, or a quote_id from POST /v1/quotes.',
  ),
  quote_expired: entry(400, 'The quote is no longer valid.', 'Ask for a new one.'),
  already_renewed: entry(
    400,
    'current_date is not the present expiry date.',
    'Read the domain and send its expiry_date; this guard stops a second renewal.',
  ),
  domain_blocked: entry(400, 'A status of the domain forbids this.', 'The text names the status and who set it.'),
  registry_refused: entry(
    400,
    'The registry refused the command.',
    'The text holds the reasons that the registry gave.',
  ),
} satisfies Record<string, Entry>;

export type ErrorCode = keyof typeof catalogue;

export interface FieldProblem {
  readonly field: string;
  readonly code: string;
  readonly message: string;
  /** What would help; the front door says it as a call behind the message. */
  readonly help?: Help;
}

export interface RefusalDetails {
  readonly errors?: readonly FieldProblem[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Further keys for the body, such as `missing` with insufficient funds; never `message`. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** What would help; the front door says it as a call behind the sentence. */
  readonly help?: Help;
}

/** A definite no, with a sentence for the caller. Anything else that is thrown is our own fault and renders as `internal`. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: ErrorCode;
  readonly details: RefusalDetails;
  constructor(code: ErrorCode, sentence?: string, details: RefusalDetails = {}) {
    super(sentence ?? catalogue[code].sentence);
    this.code = code;
    this.details = details;
  }
  get status(): number {
    return catalogue[this.code].status;
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

export function notFound(what: string): Refusal {
  return new Refusal('not_found', `${what} not found`);
}
