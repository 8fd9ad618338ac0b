import { Refusal, type RefusalCode, type RefusalDetails, sentences } from '../core/errors.ts';

/** What a refusal is over HTTP: its status, and what a caller can do. Its sentence is core's, where core has it. */
interface Known {
  readonly status: number;
  readonly sentence?: string;
  readonly fix: string;
}

const known = {
  invalid_argument: { status: 400, fix: 'Read `errors`: each names a field and what it must be.' },
  invalid_body: {
    status: 400,
    sentence: 'The body could not be read.',
    fix: 'Send valid JSON, a URL-encoded form or multipart form data, with the matching Content-Type.',
  },
  not_available_yet: { status: 400, fix: 'Leave the named option out, or use what the text offers instead.' },
  unauthorized: {
    status: 401,
    fix: 'Send HTTP Basic: the reseller id as user, an API key as password. Revoked and expired keys answer the same. People sign in with POST /v1/session.',
  },
  credentials_in_url: {
    status: 401,
    sentence: 'Credentials in a URL are refused: they end up in logs.',
    fix: 'Send them in the Authorization header, and rotate the key that was in the URL.',
  },
  two_credentials: {
    status: 400,
    sentence: 'A session and an Authorization header came together.',
    fix: 'Send one of them.',
  },
  insufficient_funds: { status: 402, fix: 'Add money to the account, or ask for a higher credit limit.' },
  ip_not_allowed: {
    status: 403,
    sentence: 'This API key may not be used from this address.',
    fix: 'Add the address that the text names to the whitelist of the key.',
  },
  foreign_page: {
    status: 403,
    sentence: 'A page of another site asked for a change.',
    fix: 'Call from a program, from /swagger, or from an origin that the operator lists in NAMEHOLD_CORS_ORIGINS.',
  },
  session_required: {
    status: 403,
    sentence: 'This call is for people who signed in; no key opens it.',
    fix: 'Sign in with POST /v1/session.',
  },
  reauthentication_required: {
    status: 403,
    sentence: 'This needs a fresh proof of who you are.',
    fix: 'Send one of `methods` to POST /v1/session/sudo, then the same request again.',
  },
  factor_required: {
    status: 403,
    sentence: 'Owners and operators need a second factor, and the time to add one has passed.',
    fix: 'Add a passkey or an authenticator: POST /v1/me/passkeys/challenge, POST /v1/me/totp.',
  },
  scope_missing: { status: 403, fix: 'Use a key with the scope that the text names.' },
  account_suspended: { status: 403, fix: 'Ask the parent reseller or the operator.' },
  operator_only: { status: 403, fix: 'Use the operator account.' },
  not_found: { status: 404, fix: 'Check the id. Objects of other resellers answer the same.' },
  route_not_found: { status: 404, sentence: 'There is no such path.', fix: 'See /swagger for all operations.' },
  method_not_allowed: {
    status: 405,
    sentence: 'This path has no such method.',
    fix: 'The Allow header lists the methods.',
  },
  request_timeout: {
    status: 408,
    sentence: 'The request did not arrive in time.',
    fix: 'Send it again, whole and without a pause.',
  },
  conflict: { status: 409, fix: 'The text names the state.' },
  already_exists: { status: 409, fix: 'Use the existing one; the text names it.' },
  in_use: { status: 409, fix: 'Remove what uses it first; the text names it.' },
  managed_record: {
    status: 409,
    fix: 'Change the service that the text names, or send take_over=true with PATCH .../zone/rrsets: it ends the service for that name.',
  },
  operation_in_progress: { status: 409, fix: 'Wait for the operation that the text names, then try again.' },
  idempotency_in_flight: {
    status: 409,
    sentence: 'A request with this Idempotency-Key is still running.',
    fix: 'Wait and send the same request again: it will answer with the first result.',
  },
  answer_not_kept: {
    status: 409,
    sentence: 'The request with this Idempotency-Key was answered once; the answer was too large to keep.',
    fix: 'It was not carried out again. Read the object to see what it is now; use a new key for a new request.',
  },
  precondition_failed: { status: 412, fix: 'Read it again and repeat the change on what you find.' },
  body_too_large: { status: 413, sentence: 'The body is too large.', fix: 'Stay below the limit that the text names.' },
  uri_too_long: { status: 414, sentence: 'The address is too long.', fix: 'Send parameters in the body.' },
  unsupported_media_type: {
    status: 415,
    sentence: 'The Content-Type is not one that is read here.',
    fix: 'Use application/json, application/x-www-form-urlencoded or multipart/form-data.',
  },
  idempotency_mismatch: {
    status: 422,
    sentence: 'This Idempotency-Key was used for another request.',
    fix: 'Use a new key for a new request.',
  },
  precondition_required: {
    status: 428,
    sentence: 'This change needs a precondition.',
    fix: 'Send If-Match with the version you read.',
  },
  rate_limited: { status: 429, fix: 'Wait as long as Retry-After says.' },
  headers_too_large: { status: 431, sentence: 'The headers are too large.', fix: 'Send fewer or shorter headers.' },
  internal: {
    status: 500,
    sentence: 'Something went wrong on our side; nothing is known to be lost.',
    fix: 'Try again with the same Idempotency-Key; quote request_id when you ask for help.',
  },
  overloaded: {
    status: 503,
    sentence: 'There is more to do just now than can be done; nothing was begun.',
    fix: 'Try again after Retry-After with the same Idempotency-Key, and slower.',
  },
  unavailable: { status: 503, fix: 'Try again after Retry-After with the same Idempotency-Key.' },
  registry_unavailable: { status: 503, fix: 'Try again later, or send Prefer: respond-async to queue the order.' },
  domain_not_available: { status: 400, fix: 'Choose another name, or transfer it in where it belongs to you.' },
  tld_not_offered: { status: 400, fix: 'GET /v1/tlds lists what is.' },
  price_not_set: { status: 400, fix: 'Ask your parent reseller or the operator to set one.' },
  price_guard: { status: 400, fix: 'Read the price in the text; raise max_price, or ask for a new quote.' },
  price_guard_required: { status: 400, fix: 'Send max_price, or a quote_id from POST /v1/quotes.' },
  quote_expired: { status: 400, fix: 'Ask for a new one.' },
  already_renewed: {
    status: 400,
    sentence: 'current_date is not the present expiry date.',
    fix: 'Read the domain and send its expiry_date; this guard stops a second renewal.',
  },
  domain_blocked: { status: 400, fix: 'The text names the status and who set it.' },
  transfer_not_possible: {
    status: 400,
    fix: 'Read `obstacles`: each has its reason, and the date from which on it is gone where that is only a matter of time.',
  },
  registry_refused: { status: 400, fix: 'The text holds the reasons that the registry gave.' },
} satisfies Record<RefusalCode, Known> & Record<string, Known>;

/** Core's refusals and those of the wire. */
export type ErrorCode = keyof typeof known;
interface Entry {
  readonly status: number;
  readonly sentence: string;
  readonly fix: string;
}

/** The catalogue: every refusal that a caller can meet. Thrown anywhere, rendered in one place, one page each in docs/errors. */
export const catalogue = Object.fromEntries(
  Object.entries(known as Record<string, Known>).map(([code, entry]) => [
    code,
    { ...entry, sentence: entry.sentence ?? sentences[code as RefusalCode] },
  ]),
) as Record<ErrorCode, Entry>;

export interface WireDetails extends RefusalDetails {
  readonly headers?: Readonly<Record<string, string>>;
}

/** A no of the wire itself: of bytes, headers, credentials and budgets, which core never sees. */
export class WireRefusal extends Refusal {
  override name = 'WireRefusal';
  constructor(code: ErrorCode, sentence?: string, details: WireDetails = {}) {
    // Core is not told the words of the wire; who reads one takes it for an ErrorCode.
    super(code as RefusalCode, sentence ?? catalogue[code].sentence, details);
  }
}

/** A header or parameter, named as it was sent. */
export function badParameter(field: string, message: string, code = 'invalid'): WireRefusal {
  return new WireRefusal('invalid_argument', `${field}: ${message}`, { errors: [{ field, code, message }] });
}
