import { exponentOf } from '@namehold/base';

/** Currency symbols as banks write them beside an amount; the codes are known anyway. */
const signs: Readonly<Record<string, readonly string[]>> = {
  IDR: ['Rp.', 'Rp'],
  USD: ['US$', '$'],
  EUR: ['€'],
  GBP: ['£'],
  JPY: ['¥', '￥'],
  SGD: ['S$', '$'],
  MYR: ['RM'],
  AUD: ['A$', '$'],
  INR: ['₹'],
  THB: ['฿'],
  PHP: ['₱'],
};

/** Outgoing money: a minus before or after the digits, brackets around them, or the bank's own word. */
export function isOutgoing(text: string): boolean {
  return /^[^\d]*[-−]|[-−]$|^\(.*\)$|\d\s*(DR|DB)\.?$/i.test(text) && /\d/.test(text);
}

/**
 * An amount with a decimal point and nothing else, if the bank's text can be read in only one way; otherwise the text unchanged, which
 * the reader refuses. Three digits after the only separator are ambiguous, unless the currency has no minor unit.
 */
export function plainAmount(text: string, currency: string): string {
  const exponent = exponentOf(currency);
  const bare = withoutMarks(text, currency);
  const cents = `\\d{1,${Math.max(exponent, 2)}}`;
  const is = (pattern: string) => new RegExp(`^${pattern}$`, 'u').test(bare);
  if (is(`\\d{1,3}(?<gap>[ \u00a0\u2009\u202f'’])\\d{3}(\\k<gap>\\d{3})*([.,]${cents})?`))
    return bare.replaceAll(/[^\d.,]/gu, '').replace(',', '.');
  if (is(`\\d{1,3}(\\.\\d{3})+,${cents}`)) return bare.replaceAll('.', '').replace(',', '.');
  if (is(`\\d{1,3}(,\\d{3})+\\.${cents}`)) return bare.replaceAll(',', '');
  if (is('\\d{1,3}(?<sign>[.,])\\d{3}(\\k<sign>\\d{3})+')) return bare.replaceAll(/[.,]/g, '');
  if (is('\\d+([.,]\\d{1,2})?')) return bare.replace(',', '.');
  if (is('\\d{1,3}[.,]\\d{3}') && exponent < 3) return exponent === 0 ? bare.replace(/[.,]/, '') : unreadable;
  return bare;
}

const unreadable = '';

function withoutMarks(text: string, currency: string): string {
  let bare = text.replace(/(?<=\d)\s*CR\.?$/i, '').replace(/^\+/, '');
  for (const mark of [currency, ...(signs[currency] ?? [])]) {
    if (bare.toLowerCase().startsWith(mark.toLowerCase())) bare = bare.slice(mark.length);
    else if (bare.toLowerCase().endsWith(mark.toLowerCase())) bare = bare.slice(0, -mark.length);
    else continue;
    break;
  }
  return bare.trim().replace(/^\+/, '');
}
