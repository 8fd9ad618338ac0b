/** Money is an integer number of minor units with its currency. Floating point is never used. */
export interface Money {
  readonly amount: bigint;
  readonly currency: string;
}

export class MoneyError extends Error {
  override name = 'MoneyError';
}

/**
 * ISO 4217 minor units other than two. Listed here because the runtime's figures are for display: it shows rupiah, forint and rupees
 * without a fraction, and a new runtime release could change the meaning of stored amounts.
 */
const exponents = new Map<string, number>([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
]);

/** Digits after the decimal point: 2 for USD, 0 for JPY, 3 for BHD. */
export function exponentOf(currency: string): number {
  if (!isCurrency(currency)) throw new MoneyError(`${currency} is not an ISO 4217 currency code.`);
  return exponents.get(currency) ?? 2;
}

let known: Set<string> | undefined;
export function isCurrency(code: string): boolean {
  known ??= new Set(Intl.supportedValuesOf('currency'));
  return known.has(code);
}

export function money(amount: bigint, currency: string): Money {
  return { amount, currency };
}

/** `"11.50"` to 1150n. More digits than the currency has is an error; nothing is rounded. */
export function parseMoney(text: string, currency: string): Money {
  const exponent = exponentOf(currency);
  const match = /^(-?)(\d{1,15})(?:\.(\d{1,6}))?$/.exec(text.trim());
  if (!match) throw new MoneyError(`"${text}" is not an amount such as 11.50.`);
  const fraction = match[3] ?? '';
  if (fraction.slice(exponent).replace(/0/g, '') !== '') {
    throw new MoneyError(`${currency} has ${exponent} decimal places, but "${text}" has more.`);
  }
  const minor = BigInt(`${match[2]}${fraction.slice(0, exponent).padEnd(exponent, '0')}`);
  return { amount: match[1] === '-' ? -minor : minor, currency };
}

/** 1150n USD to `"11.50"`. */
export function formatMoney(value: Money): string {
  const exponent = exponentOf(value.currency);
  const sign = value.amount < 0n ? '-' : '';
  const digits = (value.amount < 0n ? -value.amount : value.amount).toString().padStart(exponent + 1, '0');
  if (exponent === 0) return sign + digits;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

export function addMoney(a: Money, b: Money): Money {
  if (a.currency !== b.currency) throw new MoneyError(`cannot add ${b.currency} to ${a.currency}`);
  return { amount: a.amount + b.amount, currency: a.currency };
}

/** Half-up on basis points (1 % = 100), rounded once: `percentOf(1000n, 1250)` is 125n. */
export function percentOf(amount: bigint, basisPoints: number): bigint {
  const product = amount * BigInt(basisPoints);
  const half = product < 0n ? -5_000n : 5_000n;
  return (product + half) / 10_000n;
}
