import { everyTenant, formatMoney, type Money, money } from '@namehold/base';
import { Refusal } from '../../errors.ts';
import type { House } from '../../house.ts';
import type { Run } from '../../operations/run.ts';
import { registryCost } from '../../pricing/price-of.ts';
import { alarmAnsweredCurrency } from '../../registries/currency.ts';
import { currencyOfRegistry, expectedCurrencies } from '../../registries/registry.sql.ts';
import type { Tld, TldRules } from '../../tlds/tld.ts';
import { readDomainWithRules } from '../domain.sql.ts';
import type { Domain } from '../domain.ts';
import { feeMoney } from '../registry/fee-money.ts';
import type { Availability, FeeQuestion, RegistryFee, Reply } from '../registry/registry.ts';
import { inTime, isAskedElsewhere, refuseTaken, taken, waitMs } from '../search/refuse-taken.ts';

export interface NewPremium {
  readonly class: string;
  readonly createFee: RegistryFee;
  readonly renewFee: RegistryFee | undefined;
}

export interface TransferPremium {
  readonly class: string;
  readonly transferFee: RegistryFee;
  readonly renewFee: RegistryFee | undefined;
}

/** A name at its registry, as far as its price hangs on that. */
export interface Asked {
  readonly name: string;
  readonly tld: Pick<Tld, 'name' | 'rules'>;
  readonly registryId: string;
  /** In which currency the registry is paid, where that is known already; null: nobody knows. */
  readonly paidIn?: string | null;
  /** Nothing but the usual price is agreed to, so that it does not matter who asks, as long as it is before the registry gets the order. */
  readonly mayAskLater: boolean;
}

/** A price of its own for which the registry has no name. */
const unnamed = 'premium';
type Command = 'create' | 'renew' | 'transfer';

/**
 * The class of a name whose price is not the usual one. What the registry says of that itself comes first; where it says nothing, what it
 * asks is held against the cost that the price list has. Whatever differs is no usual price.
 */
export async function ownClass(
  house: House,
  tld: string,
  found: Availability,
  command: Command,
  years: number,
): Promise<string | undefined> {
  const fee = found[`${command}Fee`];
  if (fee && found.isOtherCurrency) await refuseOtherCurrency(house, tld, fee);
  if (found.premiumClass) return found.premiumClass;
  const isStandard = found.standard?.[command];
  if (!fee || isStandard === true) return undefined;
  if (isStandard === false) return unnamed;
  const cost = await registryCost(house.db.as(everyTenant), { tld, action: command, years }, house.clock.now());
  return cost && !isSame(fee, cost) ? unnamed : undefined;
}

/**
 * What a registry asks in another currency than the one in which it is paid here is neither usual nor premium: nothing is sold until the operator
 * has set that right.
 */
async function refuseOtherCurrency(house: House, tld: string, fee: RegistryFee): Promise<void> {
  const registry = await expectedCurrencies(house.db.as(everyTenant), tld, house.clock.now());
  if (!registry || registry.currencies.length === 0 || registry.currencies.includes(fee.currency)) return;
  const expected = registry.currencies.join(' or ');
  await alarmAnsweredCurrency(house, registry.registry_id, { told: fee.currency, expected });
  throw new Refusal(
    'price_not_set',
    `The registry of .${tld} quotes prices in ${fee.currency}, but ${expected} is expected. The operator must set its currency and costs.`,
  );
}

const isSame = (fee: RegistryFee, cost: Money): boolean =>
  fee.currency === cost.currency && feeMoney(fee).amount === cost.amount;

/**
 * The registry's answer with its prices. Undefined where it tells none; `away` where it cannot be asked now: an order waits for it only
 * where the catalogue says that names may be premium.
 */
async function askPrices(
  house: House,
  asked: Asked,
  wanted: Omit<FeeQuestion, 'currency'>,
): Promise<Availability | 'away' | undefined> {
  const registry = await house.registries.of(asked.registryId);
  const mayBePremium = asked.tld.rules.premium_names;
  if (!mayBePremium && !registry.habitsOf(asked.name).tellsFees) return undefined;
  const { paidIn } = asked;
  const currency =
    paidIn === undefined ? await currencyOfRegistry(house.db.as(everyTenant), asked.registryId) : (paidIn ?? undefined);
  if (currency === undefined) {
    if (!mayBePremium) return undefined;
    throw new Refusal('price_not_set', 'There is no registry cost for this TLD, so a premium domain cannot be priced.');
  }
  if (!mayBePremium && asked.mayAskLater && (await isAskedElsewhere(house, asked.registryId))) return 'away';
  const question = registry.check([asked.name], { currency, ...wanted });
  const reply = mayBePremium ? await question : await inTime(question, waitMs);
  if (reply.kind === 'done') return reply.data[0];
  if (!mayBePremium) return 'away';
  throw new Refusal(
    'registry_unavailable',
    'The registry cannot quote the price of this domain at the moment. Nothing was ordered.',
    { retryAfterSeconds: 10 },
  );
}

/**
 * What the registry asks for a name that nobody has, in the currency in which it is paid; null where its price is the usual one. `away`:
 * it could not be asked, and is asked before the name is ordered there.
 */
export async function askNewPremium(house: House, asked: Asked, years: number): Promise<NewPremium | 'away' | null> {
  const found = await askPrices(house, asked, { years });
  if (found === 'away') return found;
  if (!found) await refuseTaken(house, asked);
  if (found?.available === false) throw await taken(house, await house.registries.of(asked.registryId), asked.name);
  return (found && (await newPremium(house, asked.tld.name, found, years))) ?? null;
}

async function newPremium(
  house: House,
  tld: string,
  found: Availability,
  years: number,
): Promise<NewPremium | undefined> {
  const { createFee, renewFee } = found;
  if (!createFee) return undefined;
  const own = await ownOf(house, tld, found, 'create', years);
  return own === undefined ? undefined : { class: own, createFee, renewFee };
}

/** Where the registry was away when the name was ordered, at the list price: whether that is what it asks. Undefined: it may be ordered there. */
export async function refuseOwnPrice(
  run: Run<'register'> | Run<'renew'> | Run<'transfer'>,
  command: Command,
): Promise<Exclude<Reply<never>, { kind: 'done' }> | undefined> {
  const { house, registry, operation } = run;
  const { price_unasked: isUnasked, years: ordered } = operation.request;
  const currency = isUnasked && (await currencyOfRegistry(house.db.as(everyTenant), registry.id));
  if (!currency) return undefined;
  const { domain } = await readDomainWithRules(house.db.as(everyTenant), operation.domain_id);
  const years = command === 'create' ? ordered : 1;
  const question = { currency, years, ...(command === 'transfer' ? { isTransfer: true as const } : {}) };
  const asked = await registry.check([domain.name], question);
  if (asked.kind !== 'done') return asked.kind === 'unknown' ? { kind: 'unsent', why: asked.why } : asked;
  const found = asked.data[0];
  const fee = found?.[`${command}Fee`];
  if (!fee || (command === 'create' && !found.available)) return undefined;
  const own = await ownOf(house, domain.tld, found, command, years);
  if (own === undefined) return undefined;
  const text = `the registry asks ${fee.amount} ${fee.currency} for ${domain.name}, which is not its usual price: order it again with the price that you have seen`;
  return { kind: 'refused', evidence: { text, own: { field: 'domainName', code: 'price_guard_required' } } };
}

/** Whoever buys a name renews it: what is asked for that is looked at with what is asked now. */
const ownOf = async (house: House, tld: string, found: Availability, command: Command, years: number) =>
  (await ownClass(house, tld, found, command, years)) ??
  (command === 'renew' ? undefined : await ownClass(house, tld, found, 'renew', 1));

/** What the registry asks for a transfer, where the name has prices of its own. `away` as with a new name. */
export async function askTransferPremium(house: House, asked: Asked): Promise<TransferPremium | 'away' | null> {
  const found = await askPrices(house, asked, { years: 1, isTransfer: true });
  if (found === 'away') return found;
  if (!found?.transferFee) return null;
  const { transferFee, renewFee } = found;
  const own = await ownOf(house, asked.tld.name, found, 'transfer', 1);
  return own === undefined ? null : { class: own, transferFee, renewFee };
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
      `The registry cannot quote the price of ${domain.name} at the moment. Nothing was ordered.`,
      { retryAfterSeconds: 10 },
    );
  }
  const read = (fee: RegistryFee) => feeMoney(fee);
  return {
    class: found.premiumClass ?? domain.premium_class,
    renew: read(found.renewFee),
    restore: found.restoreFee && read(found.restoreFee),
  };
}

/**
 * The same for a renewal, and for a name that had the usual price when it came: a registry can have given it one of its own since. `away`: it
 * could not be asked in time, and is asked before the years are ordered there.
 */
export async function askRenewalFees(
  house: House,
  domain: Domain,
  rules: TldRules,
  mayAskLater: boolean,
): Promise<Pick<PremiumFees, 'class' | 'renew'> | 'away' | null> {
  if (domain.premium_class !== null) return askPremiumFees(house, domain);
  const registry = await house.registries.of(domain.registry_id);
  if (!rules.premium_names && !registry.habitsOf(domain.name).tellsFees) return null;
  const currency = await currencyOfRegistry(house.db.as(everyTenant), domain.registry_id);
  if (currency === undefined) return null;
  if (mayAskLater && (await isAskedElsewhere(house, domain.registry_id))) return 'away';
  const asked = await inTime(registry.check([domain.name], { currency, years: 1 }), waitMs);
  if (asked.kind !== 'done') return 'away';
  const found = asked.data[0];
  if (!found?.renewFee) return null;
  const own = await ownClass(house, domain.tld, found, 'renew', 1);
  return own === undefined ? null : { class: own, renew: feeMoney(found.renewFee) };
}

export const times = (price: Money, count: number): Money => money(price.amount * BigInt(count), price.currency);
/** As it is echoed in the command. */
export const asFee = (price: Money): RegistryFee => ({ amount: formatMoney(price), currency: price.currency });
