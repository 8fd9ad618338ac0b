import { language } from '../words/speak.ts';

/**
 * A sum as people write it in their language, as decimal text: `1.234,50` in Indonesian is `1,234.50` in English. The sign of the other
 * language before one or two digits is a decimal one too. What cannot be read so stays as it was typed, and the service says what is wrong.
 */
export function amountIn(typed: string): string {
  const text = typed.replace(/\s/g, '');
  const [group, point] = language.value === 'id' ? ['\\.', ','] : [',', '\\.'];
  const isGrouped = new RegExp(`^\\d{1,3}(${group}\\d{3})+(${point}\\d+)?$`).test(text);
  const whole = isGrouped ? text.replace(new RegExp(group, 'g'), '') : text;
  return new RegExp(`^\\d+(${point}\\d+|${group}\\d{1,2})?$`).test(whole) ? whole.replace(',', '.') : text;
}
