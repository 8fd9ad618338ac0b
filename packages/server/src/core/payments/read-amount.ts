import { type Money, MoneyError, parseMoney } from '@namehold/base';
import { paymentLimits } from './payment.ts';

/** Undefined: unreadable, or more than any call accepts. */
export function readAmount(text: string, currency: string): Money | undefined {
  if (text.replace(/\..*/, '').length > paymentLimits.wholeDigits) return undefined;
  try {
    const read = parseMoney(text, currency);
    return read.amount > 0n ? read : undefined;
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    return undefined;
  }
}
