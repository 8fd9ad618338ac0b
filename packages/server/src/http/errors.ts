import { Refusal, type RefusalCode, type RefusalDetails, sentences } from '../core/errors.ts';

/** HTTP status and help text of a refusal. Its sentence comes from the core if the core has one. */
interface Known {
  readonly status: number;
  readonly sentence?: string;
  readonly fix: string;
}

const known = {
  invalid_argument: { status: 400, fix: 'Read `errors`: each entry names a field and what it must be.' },
  invalid_body: {
    status: 400,
    sentence: 'The body could not be read.',
    fix: 'Send valid JSON, a URL-encoded form or multipart form data, with the matching Content-Type.',
  },
  not_available_yet: { status: 400, fix: 'Leave the named option out, or use the alternative in the message.' },
  unauthorized: {
    status: 401,
    fix: 'Send HTTP Basic: the account ID (`reseller_id`) as user, an API key as password. Revoked and expired keys get the same answer. Users sign in with POST /v1/session.',
  },
  credentials_in_url: {
    status: 401,
    sentence: 'Credentials in a URL are not accepted, because they end up in logs.',
    fix: 'Send them in the Authorization header, and rotate the key that was in the URL.',
  },
  two_credentials: {
    status: 400,
    sentence: 'The request has both a session and an Authorization header.',
    fix: 'Send only one of them.',
  },
  insufficient_funds: { status: 402, fix: 'Add money to the account, or request a higher credit limit.' },
  ip_not_allowed: {
    status: 403,
    sentence: 'This API key may not be used from this address.',
    fix: 'Add the address in the message to the whitelist of the key.',
  },
  foreign_page: {
    status: 403,
    sentence: 'A page of another site requested a change.',
    fix: 'Call from a program, from /swagger, or from an origin that the operator lists in NAMEHOLD_CORS_ORIGINS.',
  },
  session_required: {
    status: 403,
    sentence: 'This call is for signed-in users. API keys cannot use it.',
    fix: 'Sign in with POST /v1/session.',
  },
  reauthentication_required: {
    status: 403,
    sentence: "Confirm it's you: this action requires recent authentication.",
    fix: 'Send one of `methods` to POST /v1/session/sudo, then the same request again.',
  },
  factor_required: {
    status: 403,
    sentence:
      'Two-factor authentication is required of this user, and the time to set it up has passed. Owners, operators and users of accounts that require it must use it.',
    fix: 'Add a passkey or an authenticator: POST /v1/me/passkeys/challenge, POST /v1/me/totp.',
  },
  scope_missing: { status: 403, fix: 'Use a key with the scope in the message.' },
  account_suspended: { status: 403, fix: 'Contact your provider.' },
  operator_only: { status: 403, fix: 'Use the operator account.' },
  not_found: { status: 404, fix: 'Check the id. Objects of other resellers get the same answer.' },
  route_not_found: { status: 404, sentence: 'This path does not exist.', fix: 'See /swagger for all operations.' },
  method_not_allowed: {
    status: 405,
    sentence: 'This path does not support this method.',
    fix: 'The Allow header lists the methods.',
  },
  request_timeout: {
    status: 408,
    sentence: 'The request did not arrive in time.',
    fix: 'Send the whole request again without a pause.',
  },
  conflict: {
    status: 409,
    fix: 'Read the state in the message. Wait until it ends or change it, then send the request again.',
  },
  already_exists: { status: 409, fix: 'Use the existing object. The message names it.' },
  in_use: { status: 409, fix: 'Remove the object that uses it first. The message names it.' },
  managed_record: {
    status: 409,
    fix: 'Change the service in the message, or send take_over=true with PATCH .../zone/rrsets. This ends the service for that name.',
  },
  operation_in_progress: { status: 409, fix: 'Wait for the operation in the message, then try again.' },
  idempotency_in_flight: {
    status: 409,
    sentence: 'A request with this Idempotency-Key is still running.',
    fix: 'Wait and send the same request again. The answer is the first result.',
  },
  answer_not_kept: {
    status: 409,
    sentence: 'The request with this Idempotency-Key was already answered. The answer was too large to store.',
    fix: 'The request was not executed again. Read the object to see its current state. Use a new key for a new request.',
  },
  precondition_failed: { status: 412, fix: 'Read the object again and repeat the change.' },
  body_too_large: {
    status: 413,
    sentence: 'The request body is too large.',
    fix: 'Stay below the limit in the message.',
  },
  uri_too_long: { status: 414, sentence: 'The URL is too long.', fix: 'Send parameters in the body.' },
  unsupported_media_type: {
    status: 415,
    sentence: 'This Content-Type is not supported.',
    fix: 'Use application/json, application/x-www-form-urlencoded or multipart/form-data.',
  },
  idempotency_mismatch: {
    status: 422,
    sentence: 'This Idempotency-Key was already used for another request. Send a new key with a new request.',
    fix: 'Use a new key for a new request, also if only one value differs.',
  },
  precondition_required: {
    status: 428,
    sentence: 'If-Match is required for this change.',
    fix: 'Send If-Match with the ETag of the version that you read.',
  },
  rate_limited: { status: 429, fix: 'Wait for the time in Retry-After.' },
  headers_too_large: { status: 431, sentence: 'The headers are too large.', fix: 'Send fewer or shorter headers.' },
  internal: {
    status: 500,
    sentence: 'An internal error occurred.',
    fix: 'Try again with the same Idempotency-Key. Quote request_id when you contact support.',
  },
  overloaded: {
    status: 503,
    sentence: 'The service is overloaded. Nothing was started.',
    fix: 'Try again after Retry-After with the same Idempotency-Key, and send fewer requests.',
  },
  unavailable: {
    status: 503,
    fix: 'Try again after Retry-After with the same Idempotency-Key. If nothing was changed, the message says so. Otherwise a write may have been carried out, because the connection to the database can be lost after an order was accepted. A repetition with the same Idempotency-Key returns the first result and orders nothing twice. Without a key, read the object or GET /v1/operations before you order again. If `operation_id` is in the answer, the order was accepted: read GET /v1/operations/{operation_id}.',
  },
  registry_unavailable: { status: 503, fix: 'Try again later, or send Prefer: respond-async to queue the order.' },
  domain_not_available: { status: 400, fix: 'Choose another name, or transfer the domain in if it belongs to you.' },
  tld_not_offered: { status: 400, fix: 'GET /v1/tlds lists the TLDs that are offered.' },
  price_not_set: { status: 400, fix: 'Request a price from your provider.' },
  price_guard: { status: 400, fix: 'Read the price in the message. Raise max_price, or request a new quote.' },
  price_guard_required: { status: 400, fix: 'Send max_price, or a quote_id from POST /v1/quotes.' },
  quote_expired: { status: 400, fix: 'Request a new quote.' },
  already_renewed: {
    status: 400,
    sentence: 'current_date is not the current expiry date of the domain.',
    fix: 'Read the domain and send its expiry_date. This guard prevents a second renewal.',
  },
  domain_blocked: { status: 400, fix: 'The message names the status and who set it.' },
  transfer_not_possible: {
    status: 400,
    fix: 'Read `obstacles`: each entry has its reason and, if known, the date on which it ends.',
  },
  registry_refused: { status: 400, fix: 'The message contains the reasons of the registry.' },
} satisfies Record<RefusalCode, Known> & Record<string, Known>;

/** Refusals of the core and of the HTTP layer. */
export type ErrorCode = keyof typeof known;
interface Entry {
  readonly status: number;
  readonly sentence: string;
  readonly fix: string;
}

/** The catalogue of all errors. They are thrown anywhere, rendered in one place, and each has a page in docs/errors. */
export const catalogue = Object.fromEntries(
  Object.entries(known as Record<string, Known>).map(([code, entry]) => [
    code,
    { ...entry, sentence: entry.sentence ?? sentences[code as RefusalCode] },
  ]),
) as Record<ErrorCode, Entry>;

export interface WireDetails extends RefusalDetails {
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal of the HTTP layer, about bytes, headers, credentials or budgets. The core does not know these. */
export class WireRefusal extends Refusal {
  override name = 'WireRefusal';
  constructor(code: ErrorCode, sentence?: string, details: WireDetails = {}) {
    // The core does not know these codes; callers read them as ErrorCode.
    super(code as RefusalCode, sentence ?? catalogue[code].sentence, details);
  }
}

/** A header or parameter, named as it was sent. */
export function badParameter(field: string, message: string, code = 'invalid'): WireRefusal {
  return new WireRefusal('invalid_argument', `${field}: ${message}`, { errors: [{ field, code, message }] });
}
