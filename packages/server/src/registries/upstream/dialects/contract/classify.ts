import type { Outcome } from '../../dialect.ts';
import { type Fields, objectOf, textOf } from '../../fields.ts';
import { accountRefused, type RefusalReason, refused, tooManyRequests } from '../../refusals.ts';
import type { Answered } from '../../wire.ts';

/** The contract's codes of errors. */
const reasons: Readonly<Record<string, RefusalReason>> = {
  already_exists: 'object_exists',
  already_renewed: 'expiry_date',
  conflict: 'conflict',
  domain_blocked: 'blocked',
  domain_not_available: 'exists',
  in_use: 'in_use',
  insufficient_funds: 'no_money',
  invalid_argument: 'invalid',
  not_found: 'missing',
  price_guard: 'price',
  price_guard_required: 'price',
  tld_not_offered: 'tld',
  transfer_not_possible: 'transfer',
};

/** The contract's message about a host, which core matches. */
const wrongHost = /^[a-z0-9.-]{1,255} is not valid NameServer$/i;

const rateLimitSeconds = 30;

export function classify(answer: Answered): Outcome {
  const { status } = answer;
  const body = objectOf(answer.body);
  const text = textOf(body?.message) ?? textOf(body?.error) ?? textOf(body?.description) ?? `status ${status}`;
  const errorCode = textOf(body?.code) ?? '';
  if (status === 401 || (status === 403 && errorCode !== 'scope_missing' && errorCode !== 'operator_only'))
    return accountRefused(`${status} ${text}`, status);
  if (status === 403) return { kind: 'unsent', text: `403 ${text}` };
  if (status === 429) return tooManyRequests(`429 ${text}`, answer.retryAfter ?? rateLimitSeconds);
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
  const isOfRegistry = errorCode === 'registry_refused' && registryCode >= 2000 && registryCode < 3000;
  const reason = status === 402 ? 'no_money' : isMissing ? 'missing' : (reasons[errorCode] ?? 'other');
  const [host] = wrongHost.exec(text) ?? [];
  const outcome = refused(reason, text, { body, isUnknownCall: status === 404 || status === 405 });
  const field = textOf(first?.field);
  const place = errorCode === 'invalid_argument' && field && /^[a-z0-9_]{1,40}$/.test(field) ? ` (${field})` : '';
  const evidence = {
    code: isOfRegistry && reason === 'other' ? registryCode : outcome.evidence.code,
    text: host ?? `${outcome.evidence.text}${place}`,
  };
  return { ...outcome, evidence };
}
