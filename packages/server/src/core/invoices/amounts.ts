import { formatMoney, money } from '@namehold/base';

/** Minor units, for people. */
export const formatted = (minor: string | bigint, currency: string): { amount: string; currency: string } => ({
  amount: formatMoney(money(BigInt(minor), currency)),
  currency,
});
