import { isIP } from 'node:net';
import { EppInputError } from '../errors.ts';
import type { AuthInfo, IpAddress, Period, Status } from '../model/common.ts';
import type { FeeCheck, FeeTransform } from '../model/extension.ts';
import type { AuthCodeRules, TldRules } from '../profile.ts';

export function refuse(field: string, rule: string): never {
  throw new EppInputError(field, rule);
}

/** RFC 1035 2.3.4: 253 characters as text, 63 for a label. */
const MAX_NAME_LENGTH = 253;
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** A name in the form for registries: letters, digits and hyphens, IDN as A-labels. */
export function checkName(name: string, field: string, minLabels = 2): void {
  if (typeof name !== 'string' || name.length === 0) refuse(field, 'missing');
  if (name.length > MAX_NAME_LENGTH) refuse(field, `longer than ${MAX_NAME_LENGTH} characters`);
  const labels = name.split('.');
  if (labels.length < minLabels) refuse(field, `fewer than ${minLabels} labels`);
  if (!labels.every((label) => LABEL.test(label))) refuse(field, 'not a host name in ASCII');
}

export function checkDistinct(list: readonly string[], field: string): void {
  if (new Set(list.map((each) => each.toLowerCase())).size !== list.length) refuse(field, 'a duplicate');
}

export function checkCount(count: number, field: string, max: number): void {
  if (count === 0) refuse(field, 'none given');
  if (count > max) refuse(field, `more than ${max}`);
}

/** RFC 5730 clIDType */
export function checkObjectId(id: string, field: string): void {
  if (typeof id !== 'string' || id === '') refuse(field, 'missing');
  if (id.length < 3 || id.length > 16) refuse(field, 'not 3 to 16 characters');
  checkToken(id, field);
}

/** xsd:token: a value that whitespace rules would change is not the intended value. */
export function checkToken(text: string, field: string): void {
  if (text !== text.trim() || /[\t\r\n]| {2}/.test(text)) refuse(field, 'white space at the ends or doubled');
}

export function checkLine(text: string, field: string, max: number, min = 0): void {
  if (typeof text !== 'string') refuse(field, 'missing');
  if (text.length < min) refuse(field, min === 1 ? 'empty' : `shorter than ${min} characters`);
  if (text.length > max) refuse(field, `longer than ${max} characters`);
  if (/[\t\r\n]/.test(text)) refuse(field, 'a tab or a line end');
}

export function checkPeriod(period: Period | undefined, rules: TldRules): void {
  if (period === undefined) return;
  if (!Number.isInteger(period.value)) refuse('period', 'not a whole number');
  if (period.value < 1 || period.value > 99) refuse('period', 'not within 1 to 99');
  if (period.unit !== 'y' && period.unit !== 'm') refuse('period', 'unit is neither y nor m');
  const years = period.unit === 'y' ? period.value : period.value / 12;
  if (years < rules.minPeriodYears) refuse('period', `shorter than ${rules.minPeriodYears} years`);
  if (years > rules.maxPeriodYears) refuse('period', `longer than ${rules.maxPeriodYears} years`);
}

/** A secret whose form the registry would refuse. The value itself is never quoted. */
export function checkSecret(auth: AuthInfo | undefined, rules: AuthCodeRules): void {
  if (auth === undefined) return;
  const { pw } = auth;
  if (typeof pw !== 'string') refuse('authInfo', 'missing');
  if (pw.length < rules.authInfoMinLength) refuse('authInfo', `shorter than ${rules.authInfoMinLength} characters`);
  if (pw.length > rules.authInfoMaxLength) refuse('authInfo', `longer than ${rules.authInfoMaxLength} characters`);
  if (/[\t\r\n]/.test(pw)) refuse('authInfo', 'a tab or a line end');
}

/** A secret that another party set, possibly under other rules: only the registry knows whether it is correct. */
export function checkProof(auth: AuthInfo | undefined): void {
  if (auth === undefined) return;
  if (typeof auth.pw !== 'string') refuse('authInfo', 'missing');
  if (/[\t\r\n]/.test(auth.pw)) refuse('authInfo', 'a tab or a line end');
}

/** RFC 9154 4.1: if the registry follows it, an object is created with an empty secret. */
export function checkNewSecret(
  auth: AuthInfo | undefined,
  rules: AuthCodeRules & Pick<TldRules, 'secureAuthInfo'>,
): void {
  if (auth === undefined) refuse('authInfo', 'missing');
  if (auth.pw === '' && rules.secureAuthInfo) return;
  checkSecret(auth, rules);
}

export function checkAddresses(addresses: readonly IpAddress[] | undefined, field: string): void {
  for (const { address, version } of addresses ?? []) {
    const family = isIP(address);
    // RFC 4007: a zone (fe80::1%eth0) has a meaning on one machine only.
    if (family === 0 || address.includes('%')) refuse(field, 'not an IP address');
    if ((family === 6) !== (version === 'v6')) refuse(field, `not an address of version ${version}`);
  }
}

/** RFC 5731 2.3, 5732 2.3, 5733 2.2: a client may only set and remove client* statuses. */
export function checkClientStatuses(
  list: readonly Status[] | undefined,
  allowed: readonly string[],
  field: string,
): void {
  if (list === undefined) return;
  if (list.length > allowed.length) refuse(field, `more than ${allowed.length}`);
  for (const { value } of list) if (!allowed.includes(value)) refuse(field, 'not a status that a client may set');
  checkDistinct(
    list.map((status) => status.value),
    field,
  );
}

const CURRENCY = /^[A-Z]{3}$/;
const DECIMAL = /^\d{1,15}(?:\.\d{1,6})?$/;

export function checkFees(fee: FeeTransform | undefined): void {
  if (fee === undefined) return;
  if (fee.currency !== undefined && !CURRENCY.test(fee.currency)) refuse('fee.currency', 'not three capital letters');
  if (fee.fees.length === 0) refuse('fee.fees', 'none given');
  for (const { amount } of fee.fees) if (!DECIMAL.test(amount)) refuse('fee.amount', 'not a decimal of zero or more');
  for (const { amount } of fee.credits ?? []) {
    if (!DECIMAL.test(amount.replace(/^-/, ''))) refuse('fee.credit', 'not a decimal');
  }
}

export function checkFeeQuery(fee: FeeCheck | undefined, rules: TldRules): void {
  if (fee === undefined) return;
  if (fee.currency !== undefined && !CURRENCY.test(fee.currency)) refuse('fee.currency', 'not three capital letters');
  if (fee.commands.length === 0) refuse('fee.commands', 'none given');
  for (const { period } of fee.commands) checkPeriod(period, rules);
}

/** RFC 5730 trIDStringType */
export function checkClTRID(clTRID: string): void {
  if (clTRID.length < 3 || clTRID.length > 64) refuse('clTRID', 'not 3 to 64 characters');
  checkToken(clTRID, 'clTRID');
}
