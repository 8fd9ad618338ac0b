import type { Outcome } from '../../dialect.ts';
import { type Fields, objectOf, objectsOf, textOf } from '../../fields.ts';
import type { Answered } from '../../wire.ts';

interface Refusal {
  /** RFC 5730 3. */
  readonly code: number;
  /** For the caller. */
  readonly sentence: string;
}

const badValue: Refusal = { code: 2005, sentence: 'the registry does not accept a value' };
const notSold: Refusal = { code: 2307, sentence: 'the registry does not sell this TLD' };
const missing: Refusal = { code: 2303, sentence: 'the object does not exist at the registry' };
/** RFC 5730 3, data management policy violation: a refusal for any other reason. */
const otherwise: Refusal = { code: 2308, sentence: 'the registry gave no reason that could be passed on' };

/** Types of errors, as the page about errors and the SDKs of Realtime Register name them. */
const refusals: Readonly<Record<string, Refusal>> = {
  AuthCodeInvalidError: { code: 2202, sentence: 'the auth code was refused' },
  BillableAcknowledgmentNeededException: { code: 2308, sentence: 'the change costs more than the usual price' },
  ConstraintViolationException: badValue,
  ContactUpdateValidationError: badValue,
  DnsConfigurationException: badValue,
  InsufficientCreditException: { code: 2104, sentence: 'the order is not possible at present' },
  InvalidMessage: badValue,
  InvalidParameter: badValue,
  NoContractException: notSold,
  ObjectDoesNotExist: missing,
  ObjectExists: { code: 2302, sentence: 'the object already exists at the registry' },
  ObjectStatusProhibitsOperation: {
    code: 2304,
    sentence: 'the state of the domain at the registry does not allow it',
  },
  ProcessError: otherwise,
  UnrecognizedPropertyException: badValue,
  UnsupportedTld: notSold,
  ValidationError: badValue,
};

const rateLimits = { defaultSeconds: 60, maxSeconds: 3_600 };
/** Failed logins are limited too; the alarm about the login helps more than the one about the rate. */
const loginLimit = 'AuthenticationRatelimitedError';

export function classify(answer: Answered, isOrder: boolean): Outcome {
  const { status } = answer;
  const body = objectOf(answer.body);
  const type = textOf(body?.type);
  if (status === 401 || type === loginLimit)
    return { kind: 'unsent', text: textsOf(body, status), pause: { because: 'login', status: 401 } };
  if (status === 403) return forbidden(body, isOrder);
  if (status === 429) {
    const seconds = Math.min(answer.retryAfter ?? rateLimits.defaultSeconds, rateLimits.maxSeconds);
    return { kind: 'unsent', text: 'status 429', pause: { because: 'rate_limit', ms: seconds * 1_000 } };
  }
  if (status === 404) return missingOf(body, type);
  if (status === 409) return refusalOf('ObjectExists', body);
  if (status === 400 && type !== undefined) return refusalOf(type, body);
  if (status < 200 || status >= 300) return { kind: 'unknown', text: textsOf(body, status) };
  // Some answers have no content.
  if (answer.text.trim() === '') return isOrder ? doneOf({}, answer) : { kind: 'done', body: {} };
  if (answer.body === undefined) return { kind: 'unknown', text: `status ${status}, and no JSON`, isUnreadable: true };
  if (!isOrder) return { kind: 'done', body: answer.body };
  return body ? doneOf(body, answer) : { kind: 'unknown', text: `status ${status}, and no object`, isUnreadable: true };
}

/** 202: a process continues there. Its id is in the body or, by the SDK, in a header. */
function doneOf(body: Fields, { status, headers }: Answered): Outcome {
  const header = headers?.['x-process-id'];
  const processId = textOf(body.processId) ?? (typeof header === 'string' ? textOf(header) : undefined);
  const known = processId === undefined ? body : { ...body, processId };
  return status === 202 ? { kind: 'accepted', operationId: processId, body: known } : { kind: 'done', body: known };
}

/**
 * The key lacks a permission, or the domain belongs to another account. A query is refused alone, so that a domain of another account
 * does not stop all requests. An order stops them, because a person must act.
 */
function forbidden(body: Fields | undefined, isOrder: boolean): Outcome {
  const text = textsOf(body, 403);
  if (isOrder || textOf(body?.type) === undefined)
    return { kind: 'unsent', text, pause: { because: 'login', status: 403 } };
  return refused({ code: 2201, sentence: 'the upstream does not allow this query' }, text, body, false);
}

/** Without a type the answer may come from another server, so it does not show that an object is missing. */
function missingOf(body: Fields | undefined, type: string | undefined): Outcome {
  if (type !== undefined) return refusalOf('ObjectDoesNotExist', body);
  return refused(otherwise, textsOf(body, 404), body, true);
}

export const refusalOf = (type: string, body: Fields | undefined): Outcome =>
  refused(refusals[type] ?? otherwise, `${type}: ${textsOf(body)}`, body, false);

const refused = (
  { code, sentence }: Refusal,
  said: string,
  body: Fields | undefined,
  isUnknownCall: boolean,
): Outcome => ({
  kind: 'refused',
  evidence: { code, text: sentence },
  refusal: { message: said.slice(0, 1_000), body, isUnknownCall },
});

/** The message, with the fields that were refused and the costs that were not acknowledged. */
function textsOf(body: Fields | undefined, status?: number): string {
  const violations = objectsOf(body?.violations).map(
    ({ field, message }) => `${textOf(field) ?? '?'}: ${textOf(message) ?? 'refused'}`,
  );
  const quote = objectOf(body?.quote);
  const costs = objectsOf(quote?.billables).map(({ product, action, total }) =>
    `${textOf(product) ?? '?'} ${textOf(action) ?? ''} ${textOf(total) ?? ''}`.trim(),
  );
  const texts = [textOf(body?.message), ...violations, ...costs].filter((text) => text !== undefined);
  return texts.length > 0 ? texts.join('; ') : `the answer was ${status ?? 'an error'}`;
}
