import type { Outcome } from '../../dialect.ts';
import { objectOf, textOf } from '../../fields.ts';
import type { Answered } from '../../wire.ts';

/** Codes of OpenSRS, and those of RFC 5730 3 with the message for the caller. */
const refusals: Readonly<Record<number, { readonly code: number; readonly sentence: string }>> = {
  435: { code: 2304, sentence: 'the state of the domain at the registry does not allow it' },
  436: { code: 2304, sentence: 'the state of the domain at the registry does not allow it' },
  440: { code: 2104, sentence: 'the order is not possible at present' },
  460: { code: 2003, sentence: 'the registry needs another value' },
  465: { code: 2005, sentence: 'the registry does not accept a value' },
  480: { code: 2303, sentence: 'the object does not exist at the registry' },
  485: { code: 2302, sentence: 'the domain is already registered' },
  487: { code: 2106, sentence: 'the registry does not allow a transfer at present' },
  541: { code: 2306, sentence: 'the term at the registry would be too long' },
  555: { code: 2306, sentence: 'the expiry date at the registry differs from the order' },
};
/** RFC 5730 3, data management policy violation: a refusal for any other reason. */
const otherwise = { code: 2308, sentence: 'the registry gave no reason that could be passed on' };
const missing = refusals[480]!;

const rateLimitMs = 60_000;
/** Too many commands, by the account or by the connection. */
const rateLimits = [300, 310];
/** Another order for the domain is in progress, which may be an earlier copy of this one. */
const underWay = [437, 486];
const accepted = 250;

export function classify({ status, body, retryAfter }: Answered, isOrder: boolean): Outcome {
  if (status === 401 || status === 403)
    return { kind: 'unsent', text: `status ${status}`, pause: { because: 'login', status } };
  if (status === 429)
    return { kind: 'unsent', text: 'status 429', pause: { because: 'rate_limit', ms: (retryAfter ?? 60) * 1_000 } };
  if (status < 200 || status >= 300) return { kind: 'unknown', text: `the answer was ${status}` };
  const fields = objectOf(body);
  const code = Number(textOf(fields?.response_code) ?? Number.NaN);
  const success = textOf(fields?.is_success);
  if (!fields || !Number.isInteger(code) || success === undefined)
    return { kind: 'unknown', text: `status ${status}, and no readable envelope`, isUnreadable: true };
  if (success !== '1' && code !== accepted) return refusalOf(code, textOf(fields.response_text) ?? '', isOrder, fields);
  if (!isOrder) return { kind: 'done', body };
  const attributes = objectOf(fields.attributes);
  const isOpen = code === accepted || textOf(attributes?.registration_code) === String(accepted);
  if (isOpen || attributes?.forced_pending !== undefined) return { kind: 'accepted', operationId: undefined, body };
  return { kind: 'done', body };
}

function refusalOf(code: number, said: string, isOrder: boolean, body: Readonly<Record<string, unknown>>): Outcome {
  const text = said.slice(0, 1_000);
  if (rateLimits.includes(code)) return { kind: 'unsent', text, pause: { because: 'rate_limit', ms: rateLimitMs } };
  if (code === 401 || code === 410 || (code === 400 && /\bip\b|access denied/i.test(text)))
    return { kind: 'unsent', text, pause: { because: 'login', status: 401 } };
  // Its own outcome is then found by its orders.
  if (underWay.includes(code)) return { kind: isOrder ? 'unknown' : 'unsent', text: `${code} ${text}` };
  const isMissing = (!isOrder && code === 415) || (code === 400 && /does not exist/i.test(text));
  const { code: eppCode, sentence } = isMissing ? missing : (refusals[code] ?? otherwise);
  return {
    kind: 'refused',
    evidence: { code: eppCode, text: sentence },
    refusal: { message: `${code} ${text}`, body, isUnknownCall: code === 430 },
  };
}
