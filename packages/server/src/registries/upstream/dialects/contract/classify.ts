import type { Outcome } from '../../dialect.ts';
import { type Fields, objectOf, textOf } from '../../fields.ts';
import type { Answered } from '../../wire.ts';

/** Core reads refusals by result codes of RFC 5730 section 3. This file maps errors of an upstream to them. */
const codes: Readonly<Record<string, number>> = {
  invalid_argument: 2005,
  insufficient_funds: 2104,
  transfer_not_possible: 2106,
  domain_not_available: 2302,
  already_exists: 2302,
  not_found: 2303,
  domain_blocked: 2304,
  in_use: 2305,
  already_renewed: 2306,
  tld_not_offered: 2307,
};
/** RFC 5730 3, data management policy violation: a refusal for any other reason. */
const policy = 2308;
const notThere = 2303;
const noMoney = 2104;

/** Messages for the caller of a refused order. Texts of the upstream contain its ids and calls, so only the operator sees them. */
const sentences: Readonly<Record<string, string>> = {
  invalid_argument: 'the registry does not accept a value',
  price_guard: 'the registry has another price',
  price_guard_required: 'the registry has another price',
  transfer_not_possible: 'the registry does not allow a transfer at present',
  domain_not_available: 'the domain is already registered',
  already_exists: 'it already exists',
  not_found: 'the object does not exist at the registry',
  domain_blocked: 'a lock or hold at the registry forbids it',
  in_use: 'it is still in use at the registry',
  already_renewed: 'the expiry date at the registry differs from the order',
  tld_not_offered: 'the registry does not sell this TLD',
  conflict: 'the state of the domain at the registry does not allow it',
};
/** The contract's message about a host, which core matches. */
const wrongHost = /^[a-z0-9.-]{1,255} is not valid NameServer$/i;

const rateLimits = { defaultSeconds: 30, maxSeconds: 3_600 };

export function classify(answer: Answered): Outcome {
  const { status } = answer;
  const body = objectOf(answer.body);
  const text = textOf(body?.message) ?? textOf(body?.error) ?? textOf(body?.description) ?? `status ${status}`;
  const errorCode = textOf(body?.code) ?? '';
  if (status === 401 || (status === 403 && errorCode !== 'scope_missing' && errorCode !== 'operator_only'))
    return { kind: 'unsent', text: `${status} ${text}`, pause: { because: 'login', status } };
  if (status === 403) return { kind: 'unsent', text: `403 ${text}` };
  if (status === 429) {
    const seconds = Math.min(answer.retryAfter ?? rateLimits.defaultSeconds, rateLimits.maxSeconds);
    return { kind: 'unsent', text: `429 ${text}`, pause: { because: 'rate_limit', ms: seconds * 1_000 } };
  }
  if (status >= 200 && status < 300) return successOf(answer, body);
  // Another order of ours is in progress on the domain, so this one waits.
  if (status === 409 && errorCode === 'operation_in_progress') return { kind: 'unsent', text };
  const isOpen = ['idempotency_in_flight', 'idempotency_mismatch', 'answer_not_kept'].includes(errorCode);
  // A redirect, a server error, or an incomplete request: the command may have been executed.
  if (isOpen || status < 400 || status >= 500 || status === 408)
    return { kind: 'unknown', text: `the answer was ${status}` };
  return refusalOf(status, errorCode, text, body);
}

function successOf(answer: Answered, body: Fields | undefined): Outcome {
  if (answer.body === undefined)
    return { kind: 'unknown', text: `status ${answer.status}, and no JSON`, isUnreadable: true };
  // A success of the contract never has an error. A pending order may have one, which describes the next step of the caller.
  const isUnderWay = answer.status === 202 && textOf(body?.operation_id) !== undefined;
  if (body && 'message' in body && !isUnderWay)
    return {
      kind: 'unknown',
      text: `status ${answer.status}, and an error in its body`,
    };
  if (answer.status === 202) return { kind: 'accepted', operationId: textOf(body?.operation_id), body: body ?? {} };
  return { kind: 'done', body: body ?? {} };
}

export function refusalOf(status: number, errorCode: string, text: string, body: Fields | undefined): Outcome {
  const first = Array.isArray(body?.errors) ? objectOf(body.errors[0]) : undefined;
  const isMissing = status === 404 || first?.code === 'not_found' || (errorCode === '' && /not found/i.test(text));
  const registryCode = Number(body?.registry_code);
  const code =
    status === 402
      ? noMoney
      : isMissing
        ? notThere
        : errorCode === 'registry_refused' && registryCode >= 2000 && registryCode < 3000
          ? registryCode
          : (codes[errorCode] ?? policy);
  const message = text.slice(0, 1_000);
  const sentence =
    sentences[isMissing ? 'not_found' : errorCode] ?? 'the registry gave no reason that could be passed on';
  const field = textOf(first?.field);
  const place = errorCode === 'invalid_argument' && field && /^[a-z0-9_]{1,40}$/.test(field) ? ` (${field})` : '';
  const own = wrongHost.test(message) ? message : `${sentence}${place}`;
  return {
    kind: 'refused',
    evidence: { code, text: own },
    refusal: { message, body, isUnknownCall: status === 404 || status === 405 },
  };
}
