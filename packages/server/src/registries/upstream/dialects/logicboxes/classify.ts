import type { Outcome } from '../../dialect.ts';
import { type Fields, objectOf, textOf } from '../../fields.ts';
import { accountRefused, type RefusalReason, refused, tooManyRequests } from '../../refusals.ts';
import type { Answered } from '../../wire.ts';

/** LogicBoxes has no error codes. The texts are those that its documents and clients name; others are refusals without a known reason. */
const reasons: readonly (readonly [RegExp, RefusalReason])[] = [
  [/already registered/i, 'exists'],
  [/sufficient funds/i, 'no_money'],
  [/doesn'?t exist|no entity found/i, 'missing'],
  [/invalid auth\w* code/i, 'auth_code'],
  [/expiry date/i, 'expiry_date'],
  [/not allowed to sell/i, 'tld'],
  [/premium domain/i, 'premium'],
  [/not active|is suspended|locked in processing/i, 'state'],
  [/\binvalid\b|parameter missing|contact type must be/i, 'invalid'],
];
const login = /invalid credentials|inactive or suspended/i;
/** The contract's message about a host, which core matches. */
const wrongHost = /^[a-z0-9.-]{1,255} is not a valid nameserver$/i;

/**
 * A refusal is recognised by the fields of its JSON, because it has status 500, as a failure of the server has. Anything else with an
 * error status leaves the outcome open.
 */
export function classify(answer: Answered, isOrder: boolean): Outcome {
  const { status } = answer;
  const body = objectOf(answer.body);
  if (/^error$/i.test(textOf(body?.status) ?? ''))
    return refusalOf(textOf(body?.message) ?? textOf(body?.error) ?? 'no reason given', body, status);
  // From the network in front of the service, for example for an address that is not on its list.
  if (status === 401 || status === 403) return accountRefused(`status ${status}`, status);
  if (status === 429) return tooManyRequests('status 429', answer.retryAfter);
  if (status < 200 || status >= 300) return { kind: 'unknown', text: `the answer was ${status}` };
  // Some answers are a bare word.
  if (answer.body === undefined && answer.text.trim() === 'Success') return { kind: 'done', body: {} };
  if (answer.body === undefined) return { kind: 'unknown', text: `status ${status}, and no JSON`, isUnreadable: true };
  return isOrder && body ? actionOf(body, status) : { kind: 'done', body: answer.body };
}

/** The answer to an order describes an action, which may continue. */
function actionOf(body: Fields, status: number): Outcome {
  const state = textOf(body.actionstatus) ?? textOf(body.status);
  if (state === undefined)
    return { kind: 'unknown', text: `status ${status}, and no status of the action`, isUnreadable: true };
  if (/^(failed|cancelled)$/i.test(state)) return refusalOf(textOf(body.actionstatusdesc) ?? state, body, status);
  if (/^success$/i.test(state)) return { kind: 'done', body };
  return { kind: 'accepted', operationId: undefined, body };
}

function refusalOf(text: string, body: Fields | undefined, status: number): Outcome {
  if (login.test(text)) return accountRefused(text);
  const answer = { body, isUnknownCall: status === 404 || status === 405 };
  const [host] = wrongHost.exec(text) ?? [];
  if (host === undefined) return refused(reasons.find(([said]) => said.test(text))?.[1] ?? 'other', text, answer);
  const outcome = refused('invalid', text, answer);
  const sentence = host.replace(/ is not a valid nameserver$/i, ' is not valid NameServer');
  return { ...outcome, evidence: { ...outcome.evidence, text: sentence } };
}
