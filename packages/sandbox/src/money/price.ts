import { formatMoney } from '@namehold/base';
import { type PremiumName, type SandboxTld, sandboxCurrency, type TldFees } from '../tlds/index.ts';

export type PricedCommand = keyof TldFees;

export function premiumOf(tld: SandboxTld, label: string): PremiumName | undefined {
  return tld.premium.find(({ label: wanted }) =>
    wanted.endsWith('*') ? label.startsWith(wanted.slice(0, -1)) : wanted === label,
  );
}

export function feesOf(tld: SandboxTld, label: string): TldFees {
  return premiumOf(tld, label)?.fees ?? tld.fees;
}

/** The price of a command; a restore has one price, the others a price per year. */
export function priceOf(tld: SandboxTld, label: string, command: PricedCommand, years: number): bigint {
  const fee = feesOf(tld, label)[command];
  return command === 'restore' ? fee : fee * BigInt(years);
}

export const decimal = (amount: bigint): string => formatMoney({ amount, currency: sandboxCurrency });
