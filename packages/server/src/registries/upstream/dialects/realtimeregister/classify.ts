import type { Outcome } from '../../dialect.ts';
import { type Fields, objectOf, objectsOf, textOf } from '../../fields.ts';
import { accountRefused, isAboutAccount, type RefusalReason, refused, tooManyRequests } from '../../refusals.ts';
import type { Answered } from '../../wire.ts';

/** Types of errors, as the page about errors and the SDKs of Realtime Register name them. */
const reasons: Readonly<Record<string, RefusalReason>> = {
  AuthCodeInvalidError: 'auth_code',
  BillableAcknowledgmentNeededException: 'cost',
  ConstraintViolationException: 'invalid',
  ContactUpdateValidationError: 'invalid',
  DnsConfigurationException: 'invalid',
  InsufficientCreditException: 'no_money',
  InvalidMessage: 'invalid',
  InvalidParameter: 'invalid',
  NoContractException: 'tld',
  ObjectDoesNotExist: 'missing',
  ObjectExists: 'object_exists',
  ObjectStatusProhibitsOperation: 'state',
  ProcessError: 'other',
  UnrecognizedPropertyException: 'invalid',
  UnsupportedTld: 'tld',
  ValidationError: 'invalid',
};

/** Failed logins are limited too; the alarm about the login helps more than the one about the rate. */
const loginLimit = 'AuthenticationRatelimitedError';

export function classify(answer: Answered, isOrder: boolean): Outcome {
  const { status } = answer;
  const body = objectOf(answer.body);
  const type = textOf(body?.type);
  if (status === 401 || type === loginLimit) return accountRefused(textsOf(body, status));
  if (status === 403) return forbidden(body, isOrder);
  if (status === 429) return tooManyRequests(textsOf(body, status), answer.retryAfter);
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
 * does not stop all requests. An order, or a text about the account, stops them, because a person must act.
 */
function forbidden(body: Fields | undefined, isOrder: boolean): Outcome {
  const text = textsOf(body, 403);
  if (isOrder || textOf(body?.type) === undefined || isAboutAccount(text)) return accountRefused(text, 403);
  return refused('not_allowed', text, { body });
}

/** Without a type the answer may come from another server, so it does not show that an object is missing. */
function missingOf(body: Fields | undefined, type: string | undefined): Outcome {
  if (type !== undefined) return refusalOf('ObjectDoesNotExist', body);
  return refused('other', textsOf(body, 404), { body, isUnknownCall: true });
}

export const refusalOf = (type: string, body: Fields | undefined): Outcome =>
  refused(reasons[type] ?? 'other', `${type}: ${textsOf(body)}`, { body });

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
