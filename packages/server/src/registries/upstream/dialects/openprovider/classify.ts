import type { Outcome } from '../../dialect.ts';
import { type Fields, flagOf, objectOf, textOf } from '../../fields.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { accountRefused, isAboutAccount, refused, tooManyRequests } from '../../refusals.ts';
import type { Answered, Call } from '../../wire.ts';
import { dataOf, loginRefused } from './message.ts';

type Reason = UpstreamProfile['openprovider']['codes'][string];

/** Only few codes are documented, so others are known by their text. */
const said: readonly (readonly [RegExp, Reason])[] = [
  [
    /(not enough|insufficient|too low).*(balance|funds|credit)|(balance|funds|credit).*(not enough|insufficient|too low)/i,
    'no_money',
  ],
  [/premium/i, 'premium'],
  [/not in your account|not found|does not exist/i, 'missing'],
  [/not (free|available)|already (registered|exists|in use)|duplicate request/i, 'exists'],
  [/auth(orization)?[ _-]?code/i, 'auth_code'],
  [/extension is not enabled|invalid (domain )?extension/i, 'tld'],
  [/status|locked|quarantine/i, 'state'],
  [/invalid|incorrect|required|missing|must be/i, 'invalid'],
];

/** The address is not allowed or blocked, the contact has no authority for the API, or an agreement is not signed. */
const accountCodes = ['197', '10005', '10009'];
/** After identical requests. */
const tooOften = ['50', '4007'];
const tooOftenText = /calls limit has been reached/i;
const identicalSeconds = 300;

const openStates = ['REQ', 'PEN', 'SCH', 'RRQ', 'PRE'];

/** A refusal is known by the code in its JSON, because its HTTP status varies. Anything else with an error status leaves the outcome open. */
export const classifier =
  ({ codes }: UpstreamProfile['openprovider']) =>
  (answer: Answered, isOrder: boolean, call?: Call): Outcome => {
    const { status } = answer;
    const body = objectOf(answer.body);
    const code = textOf(body?.code);
    if (body && code !== undefined && /^\d+$/.test(code))
      return code === '0' ? accepted(body, isOrder && call?.method !== 'DELETE', status) : refusalOf(code, body, codes);
    // From the network in front of the service.
    if (status === 401 || status === 403) return accountRefused(`status ${status}`, status);
    if (status === 429) return tooManyRequests('status 429', answer.retryAfter);
    if (status < 200 || status >= 300) return { kind: 'unknown', text: `the answer was ${status}` };
    return { kind: 'unknown', text: `status ${status}, and no JSON with a code`, isUnreadable: true };
  };

/** A delete is answered with the status before or after it, which shows nothing. */
function accepted(body: Fields, hasStatus: boolean, status: number): Outcome {
  if (!hasStatus) return { kind: 'done', body };
  const data = dataOf(body);
  const state = textOf(data.status);
  if (state === undefined) {
    // Contacts, nameservers and auth codes have no status.
    const isComplete = ['handle', 'name', 'success', 'auth_code'].some((field) => data[field] !== undefined);
    return isComplete
      ? { kind: 'done', body }
      : { kind: 'unknown', text: `status ${status}, and no status of the order`, isUnreadable: true };
  }
  if (state === 'FAI') return refusedBecause('FAI', textOf(data.error) ?? textOf(data.description) ?? '', body, {});
  return openStates.includes(state) ? { kind: 'accepted', operationId: undefined, body } : { kind: 'done', body };
}

function refusalOf(code: string, body: Fields, codes: Readonly<Record<string, Reason>>): Outcome {
  const text = `${code} ${textOf(body.desc) ?? 'no reason given'}`;
  if (code === loginRefused || accountCodes.includes(code) || isAboutAccount(text)) return accountRefused(text);
  if (tooOften.includes(code) || tooOftenText.test(text)) return tooManyRequests(text, identicalSeconds);
  // Whether an order is executed during maintenance is not documented.
  if (flagOf(body.maintenance)) return { kind: 'unknown', text };
  return refusedBecause(code, text, body, codes);
}

function refusedBecause(code: string, text: string, body: Fields, codes: Readonly<Record<string, Reason>>): Outcome {
  return refused(codes[code] ?? said.find(([pattern]) => pattern.test(text))?.[1] ?? 'other', text, { body });
}
