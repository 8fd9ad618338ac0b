import { formatMoney, type Money } from '@namehold/base';
import { z } from 'zod';

/** Money in our own fields; contract fields have their own forms. */
export const moneyView = z
  .object({ amount: z.string(), currency: z.string() })
  .meta({ id: 'Money', description: 'A sum with its currency.' });

export function showMoney(value: Money): z.output<typeof moneyView> {
  return { amount: formatMoney(value), currency: value.currency };
}

/** The contract's transactions carry amounts as JSON numbers. Fifteen digits pass through unchanged. */
export function moneyNumber(value: Money): number {
  return Number(formatMoney(value));
}
