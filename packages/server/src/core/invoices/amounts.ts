import { formatMoney, money } from '@namehold/base';

/** Formats minor units for display. */
export const formatted = (minor: string | bigint, currency: string): { amount: string; currency: string } => ({
  amount: formatMoney(money(BigInt(minor), currency)),
  currency,
});
