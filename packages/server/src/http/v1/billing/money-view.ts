import { formatMoney, type Money } from '@namehold/base';
import { z } from 'zod';

/** Money in our own fields. Contract fields have other formats. */
export const moneyView = z
  .object({ amount: z.string(), currency: z.string() })
  .meta({ id: 'Money', description: 'An amount with its currency.' });

export function showMoney(value: Money): z.output<typeof moneyView> {
  return { amount: formatMoney(value), currency: value.currency };
}

/** Transactions of the contract have amounts as JSON numbers. Fifteen digits are exact. */
export function moneyNumber(value: Money): number {
  return Number(formatMoney(value));
}
