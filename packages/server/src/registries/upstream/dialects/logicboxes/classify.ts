import type { Outcome } from '../../dialect.ts';
import { type Fields, objectOf, textOf } from '../../fields.ts';
import type { Answered } from '../../wire.ts';

/** RFC 5730 3. */
const codes = { invalid: 2005, noMoney: 2104, wrongCode: 2202, exists: 2302, missing: 2303, prohibited: 2304 };
/** RFC 5730 3, data management policy violation: a refusal for any other reason. */
const policy = 2308;

/** LogicBoxes has no error codes. The texts are those that its documents and clients name; others are refusals without a known reason. */
const reasons: readonly { readonly said: RegExp; readonly code: number; readonly sentence: string }[] = [
  { said: /already registered/i, code: codes.exists, sentence: 'the domain is already registered' },
  { said: /sufficient funds/i, code: codes.noMoney, sentence: 'the order is not possible at present' },
  {
    said: /doesn'?t exist|no entity found/i,
    code: codes.missing,
    sentence: 'the object does not exist at the registry',
  },
  { said: /invalid auth\w* code/i, code: codes.wrongCode, sentence: 'the auth code was refused' },
  { said: /expiry date/i, code: 2306, sentence: 'the expiry date at the registry differs from the order' },
  { said: /not allowed to sell/i, code: 2307, sentence: 'the registry does not sell this TLD' },
  {
    said: /not active|is suspended|locked in processing/i,
    code: codes.prohibited,
    sentence: 'the state of the domain at the registry does not allow it',
  },
  { said: /\binvalid\b|parameter missing/i, code: codes.invalid, sentence: 'the registry does not accept a value' },
];
const login = /invalid credentials|inactive or suspended/i;
/** The contract's message about a host, which core matches. */
const wrongHost = /^[a-z0-9.-]{1,255} is not a valid nameserver$/i;

const rateLimits = { defaultSeconds: 60, maxSeconds: 3_600 };

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
  if (status === 401 || status === 403)
    return { kind: 'unsent', text: `status ${status}`, pause: { because: 'login', status } };
  if (status === 429) {
    const seconds = Math.min(answer.retryAfter ?? rateLimits.defaultSeconds, rateLimits.maxSeconds);
    return { kind: 'unsent', text: 'status 429', pause: { because: 'rate_limit', ms: seconds * 1_000 } };
  }
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
  if (login.test(text)) return { kind: 'unsent', text, pause: { because: 'login', status: 401 } };
  const message = text.slice(0, 1_000);
  const reason = reasons.find(({ said }) => said.test(message));
  const [host] = wrongHost.exec(message) ?? [];
  const sentence = reason?.sentence ?? 'the registry gave no reason that could be passed on';
  return {
    kind: 'refused',
    evidence: {
      code: host === undefined ? (reason?.code ?? policy) : codes.invalid,
      text: host === undefined ? sentence : host.replace(/ is not a valid nameserver$/i, ' is not valid NameServer'),
    },
    refusal: { message, body, isUnknownCall: status === 404 || status === 405 },
  };
}
