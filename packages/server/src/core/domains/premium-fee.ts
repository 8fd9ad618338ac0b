import { formatMoney, type Money, money, parseMoney } from '@namehold/base';
import { Refusal } from '../errors.ts';
import type { House } from '../house.ts';
import type { Domain } from './domain.ts';
import type { RegistryFee } from './registry.ts';

export interface PremiumFees {
  readonly class: string;
  /** For one year. */
  readonly renew: Money;
  readonly restore: Money | undefined;
}

/** What the registry asks today for a premium name that we hold; null for every other name. */
export async function askPremiumFees(house: House, domain: Domain): Promise<PremiumFees | null> {
  if (domain.premium_class === null) return null;
  const currency = domain.premium_currency!;
  const registry = await house.registries.of(domain.registry_id);
  const asked = await registry.check([domain.name], { currency, years: 1 });
  const found = asked.kind === 'done' ? asked.data[0] : undefined;
  if (!found?.renewFee) {
    throw new Refusal(
      'registry_unavailable',
      `the registry cannot be asked for the price of ${domain.name} just now; nothing was ordered`,
      { headers: { 'Retry-After': '10' } },
    );
  }
  const read = (fee: RegistryFee) => parseMoney(fee.amount, fee.currency);
  return {
    class: found.premiumClass ?? domain.premium_class,
    renew: read(found.renewFee),
    restore: found.restoreFee && read(found.restoreFee),
  };
}

export const times = (price: Money, count: number): Money => money(price.amount * BigInt(count), price.currency);
export const plus = (a: Money, b: Money): Money => money(a.amount + b.amount, a.currency);
/** As it is echoed in the command. */
export const asFee = (price: Money): RegistryFee => ({ amount: formatMoney(price), currency: price.currency });
