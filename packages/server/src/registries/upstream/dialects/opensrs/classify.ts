import type { Outcome } from '../../dialect.ts';
import { objectOf, textOf } from '../../fields.ts';
import { accountRefused, isAboutAccount, type RefusalReason, refused, tooManyRequests } from '../../refusals.ts';
import type { Answered } from '../../wire.ts';

/** Codes of OpenSRS. */
const reasons: Readonly<Record<number, RefusalReason>> = {
  435: 'state',
  436: 'state',
  440: 'no_money',
  460: 'required',
  465: 'invalid',
  480: 'missing',
  485: 'exists',
  487: 'transfer',
  541: 'term',
  555: 'expiry_date',
};

/** Too many commands, by the account or by the connection. */
const rateLimits = [300, 310];
/** Another order for the domain is in progress, which may be an earlier copy of this one. */
const underWay = [437, 486];
const accepted = 250;

export function classify({ status, body, retryAfter }: Answered, isOrder: boolean): Outcome {
  if (status === 401 || status === 403) return accountRefused(`status ${status}`, status);
  if (status === 429) return tooManyRequests('status 429', retryAfter);
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
  if (rateLimits.includes(code)) return tooManyRequests(said);
  const isLogin = code === 401 || code === 410 || (code === 400 && /\bip\b|access denied/i.test(said));
  if (isLogin || isAboutAccount(said)) return accountRefused(said);
  // Its own outcome is then found by its orders.
  if (underWay.includes(code)) return { kind: isOrder ? 'unknown' : 'unsent', text: `${code} ${said}` };
  const isMissing = (!isOrder && code === 415) || (code === 400 && /does not exist/i.test(said));
  const reason = isMissing ? 'missing' : (reasons[code] ?? 'other');
  return refused(reason, `${code} ${said}`, { body, isUnknownCall: code === 430 });
}
