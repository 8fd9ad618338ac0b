import { exponentOf, type Money, parseMoney } from '@namehold/base';
import type { RegistryFee } from '../ports/registry.ts';

/**
 * A registry's amount in our ledger. It may have more digits than its currency, because the registry converts from another one. Further
 * digits are rounded up, so that nothing is sold below the registry's price. Commands send the registry's own text, not this amount.
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
