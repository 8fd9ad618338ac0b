import { locale } from '../messages/locale.ts';

/**
 * An amount as typed in the user's language, as decimal text: `1.234,50` in Indonesian is `1,234.50` in English. The separator of the other
 * language also counts as decimal before one or two digits. Unreadable input stays unchanged; the service reports the error.
 */
export function amountIn(typed: string): string {
  const text = typed.replace(/\s/g, '');
  const [group, point] = locale.value === 'id' ? ['\\.', ','] : [',', '\\.'];
  // No group begins with zero: `0.500` is less than one in each language.
  const isGrouped = new RegExp(`^-?[1-9]\\d{0,2}(${group}\\d{3})+(${point}\\d+)?$`).test(text);
  const whole = isGrouped ? text.replace(new RegExp(group, 'g'), '') : text;
  return new RegExp(`^-?\\d+(${point}\\d+|${group}\\d{1,2})?$`).test(whole) ? whole.replace(',', '.') : text;
}

/** Decimal text of the API as it is typed in the user's language. `amountIn` reads the same amount from it. */
export const typedAmount = (amount: string): string => (locale.value === 'id' ? amount.replace('.', ',') : amount);
