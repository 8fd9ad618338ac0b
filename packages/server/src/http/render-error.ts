import { isConnectionLoss } from '@namehold/postgres';
import { Refusal } from '../core/errors.ts';
import { errorPageOf } from './error-pages.ts';
import { catalogue, type ErrorCode, type WireDetails, WireRefusal } from './errors.ts';
import { factsWithWireNames, ledBy, wireName } from './v1/common/field-names.ts';
import { withCall } from './v1/common/help-text.ts';

interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Record<string, unknown>;
  /** True for internal errors, which are logged with their cause. */
  readonly isOurs: boolean;
}

/** The contract defines three types, and clients depend on them. */
function typeOf(status: number): string {
  if (status === 401 || status === 403) return 'unauthorized';
  return status === 402 ? 'card_error' : 'invalid_request';
}

/** Maximum size of an error response. A body can have any number of errors. */
const refusalLimits = { errors: 50, fieldLength: 200, messageLength: 1_000 };

const brief = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most - 3).toWellFormed()}...` : text;

const fastifyCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_body',
  FST_ERR_CTP_EMPTY_TYPE: 'unsupported_media_type',
  FST_ERR_MAX_PARAM_LENGTH: 'uri_too_long',
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: 'unsupported_media_type',
};

export function renderError(error: unknown, requestId: string, publicUrl = ''): ErrorAnswer {
  const { code: ofCore, message, details } = asRefusal(error);
  const code = ofCore as ErrorCode;
  const { errors, help, facts = {}, retryAfterSeconds, headers = {} }: WireDetails = details;
  const { status } = catalogue[code];
  // Field names as sent. The core has its own names.
  const wireNameOf = error instanceof WireRefusal ? (field: string) => field : wireName;
  const body: Record<string, unknown> = {
    type: typeOf(status),
    code,
    message: brief(withCall(ledBy(wireNameOf, message, errors?.[0]?.field), help), refusalLimits.messageLength),
    request_id: requestId,
    docs: errorPageOf(publicUrl, code),
    ...factsWithWireNames(facts),
  };
  if (errors) {
    body.errors = errors.slice(0, refusalLimits.errors).map(({ help, field, code, message }) => ({
      field: brief(wireNameOf(field), refusalLimits.fieldLength),
      code,
      message: brief(withCall(message, help), refusalLimits.messageLength),
    }));
    if (errors.length > refusalLimits.errors) body.more_errors = errors.length - refusalLimits.errors;
  }
  return {
    status,
    headers: retryAfterSeconds === undefined ? headers : { ...headers, 'Retry-After': String(retryAfterSeconds) },
    body,
    isOurs: code === 'internal' || code === 'unavailable',
  };
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { code = '', statusCode } = (error ?? {}) as { code?: string; statusCode?: number };
  const known = fastifyCodes[code];
  if (code === 'FST_ERR_BAD_URL')
    return new Refusal(
      'invalid_argument',
      'The path is not valid percent-encoded UTF-8 (ü is %C3%BC, a percent sign is %25).',
    );
  if (known) return new WireRefusal(known);
  if (statusCode === 400) return new WireRefusal('invalid_body');
  // Temporary. A transaction whose commit was not acknowledged may have been carried out.
  if (isOutage(error)) return new Refusal('unavailable', undefined, { retryAfterSeconds: 2 });
  return new WireRefusal('internal');
}

/** The database is unreachable, or cannot serve the request now. */
export function isOutage(error: unknown): boolean {
  const { code = '' } = (error ?? {}) as { code?: string };
  return error != null && (isConnectionLoss(error) || isOverloaded(error, code));
}

/** 53xxx: out of connections or memory; 57014: statement timeout; 55P03: lock timeout, repeatedly. */
function isOverloaded(error: unknown, code: string): boolean {
  return /^(53\w{3}|57014|55P03)$/.test(code) || /is not queryable|client was closed/i.test(String(error));
}
