import { exponentOf, type Money, parseMoney } from '@namehold/base';
import type { RegistryFee } from './registry.ts';

/**
 * What a registry names, in our books. It may have more digits than its currency (it reckons from another one): what is more than nothing
 * counts as the next unit, so that nobody sells below it. What is sent back to it are its own words, not this.
 */
export function feeMoney({ amount, currency }: RegistryFee): Money {
  const digits = exponentOf(currency);
  const [, whole, kept = '', rest = ''] =
    new RegExp(`^(-?\\d+)(?:\\.(\\d{0,${digits}})(\\d*))?$`).exec(amount.trim()) ?? [];
  if (whole === undefined) return parseMoney(amount, currency);
  const exact = parseMoney(kept === '' ? whole : `${whole}.${kept}`, currency);
  if (!/[1-9]/.test(rest)) return exact;
  return { ...exact, amount: exact.amount + (whole.startsWith('-') ? -1n : 1n) };
}
