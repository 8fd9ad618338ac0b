import { everyTenant, formatMoney, type Money, money, parseMoney } from '@namehold/base';
import { Refusal } from '../../errors.ts';
import type { House } from '../../house.ts';
import { currencyOfRegistry } from '../compare/poll.sql.ts';
import type { Domain } from '../domain.ts';
import type { RegistryFee } from '../registry/registry.ts';
import { taken } from '../search/refuse-taken.ts';

export interface NewPremium {
  readonly class: string;
  readonly createFee: RegistryFee;
  readonly renewFee: RegistryFee | undefined;
}

/** What the registry asks for a name that nobody has, in the currency in which it is paid; undefined where its price is the usual one. */
export async function askNewPremium(
  house: House,
  registryId: string,
  name: string,
  years: number,
): Promise<NewPremium | undefined> {
  const currency = await currencyOfRegistry(house.db.as(everyTenant), registryId);
  if (currency === undefined)
    throw new Refusal('price_not_set', `there is no registry cost for this TLD, so a premium name cannot be priced`);
  const registry = await house.registries.of(registryId);
  const reply = await registry.check([name], { currency, years });
  if (reply.kind !== 'done')
    throw new Refusal(
      'registry_unavailable',
      'the registry cannot be asked for the price of this name just now; nothing was ordered',
      { retryAfterSeconds: 10 },
    );
  const found = reply.data[0];
  if (!found) return undefined;
  if (!found.available) throw await taken(house, registry, name);
  if (!found.premiumClass || !found.createFee) return undefined;
  return { class: found.premiumClass, createFee: found.createFee, renewFee: found.renewFee };
}

export interface TransferPremium {
  readonly class: string;
  readonly transferFee: RegistryFee;
  readonly renewFee: RegistryFee | undefined;
}

/** What the registry asks for a transfer, where the name has prices of its own. */
export async function askTransferPremium(
  house: House,
  registryId: string,
  name: string,
): Promise<TransferPremium | undefined> {
  const currency = await currencyOfRegistry(house.db.as(everyTenant), registryId);
  if (currency === undefined)
    throw new Refusal('price_not_set', `there is no registry cost for this TLD, so a premium name cannot be priced`);
  const registry = await house.registries.of(registryId);
  const reply = await registry.check([name], { currency, years: 1 });
  if (reply.kind !== 'done')
    throw new Refusal(
      'registry_unavailable',
      'the registry cannot be asked for the price of this name just now; nothing was ordered',
      { retryAfterSeconds: 10 },
    );
  const found = reply.data[0];
  if (!found?.premiumClass || !found.transferFee) return undefined;
  return { class: found.premiumClass, transferFee: found.transferFee, renewFee: found.renewFee };
}

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
      { retryAfterSeconds: 10 },
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
