import { formatMoney, type Money, money } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import type { Domain } from '../../model/domain.ts';
import { feeMoney } from '../../model/fee-money.ts';
import type { Tld, TldRules } from '../../model/tld.ts';
import type { Run } from '../../operations/run.ts';
import type { Availability, FeeQuestion, RegistryFee, Reply } from '../../ports/registry.ts';
import { registryCost } from '../../pricing/price-of.ts';
import { alarmAnsweredCurrency } from '../../registries/currency.ts';
import { currencyOfRegistry, expectedCurrencies } from '../../registries/registry.sql.ts';
import { readDomainWithRules } from '../../tables/domain.sql.ts';
import { inTime, isQueriedElsewhere, refuseTaken, taken, waitMs } from '../search/refuse-taken.ts';

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

/** What the registry's price of a domain depends on. */
interface PremiumQuery {
  readonly name: string;
  readonly tld: Pick<Tld, 'name' | 'rules'>;
  readonly registryId: string;
  /** The currency in which the registry is paid, if the caller knows it; null if it is not set. */
  readonly paidIn?: string | null;
  /** The order accepts only the usual price, so the price may also be checked later, before the command is sent to the registry. */
  readonly mayQueryLater: boolean;
}

/** A TLD at one of its registries. */
interface Served {
  readonly tld: string;
  readonly registryId: string;
}

/** The class of a domain with its own price for which the registry gives no class name. */
const unnamed = 'premium';
type Command = 'create' | 'renew' | 'transfer';

/**
 * The class of a domain whose price is not the usual one. The registry's own class comes first. Without one, the registry's price is
 * compared with the cost in the price list, and any difference makes the domain premium.
 */
export async function ownClass(
  ctx: AppContext,
  served: Served,
  found: Availability,
  command: Command,
  years: number,
): Promise<string | undefined> {
  const fee = found[`${command}Fee`];
  if (fee && found.isOtherCurrency) await refuseOtherCurrency(ctx, served, fee);
  if (found.premiumClass) return found.premiumClass;
  const isStandard = found.standard?.[command];
  if (!fee || isStandard === true) return undefined;
  if (isStandard === false) return unnamed;
  const cost = await registryCost(ctx.db.as(allTenants), { ...served, action: command, years }, ctx.clock.now());
  return cost && !isSame(fee, cost) ? unnamed : undefined;
}

/**
 * A price in another currency than the one in which the registry is paid is neither usual nor premium. Nothing is sold until the
 * operator has corrected the currency.
 */
async function refuseOtherCurrency(ctx: AppContext, { registryId, tld }: Served, fee: RegistryFee): Promise<void> {
  const currencies = await expectedCurrencies(ctx.db.as(allTenants), { registryId, tld, at: ctx.clock.now() });
  if (currencies.length === 0 || currencies.includes(fee.currency)) return;
  const expected = currencies.join(' or ');
  await alarmAnsweredCurrency(ctx, registryId, { reported: fee.currency, expected });
  throw new Refusal(
    'price_not_set',
    `The registry of .${tld} quotes prices in ${fee.currency}, but ${expected} is expected. Contact your provider: the currency and costs of the registry must be set.`,
  );
}

const isSame = (fee: RegistryFee, cost: Money): boolean =>
  fee.currency === cost.currency && feeMoney(fee).amount === cost.amount;

/**
 * The registry's answer with its prices. Undefined if it reports none. `away` if it cannot be queried now: an order waits for it only if
 * the catalogue says that the TLD has premium domains.
 */
async function queryPrices(
  ctx: AppContext,
  query: PremiumQuery,
  wanted: Omit<FeeQuestion, 'currency'>,
): Promise<Availability | 'not_queried' | undefined> {
  const registry = await ctx.registries.of(query.registryId);
  const mayBePremium = query.tld.rules.premium_names;
  if (!mayBePremium && !registry.capabilitiesOf(query.name).supportsFees) return undefined;
  const { paidIn } = query;
  const currency =
    paidIn === undefined ? await currencyOfRegistry(ctx.db.as(allTenants), query.registryId) : (paidIn ?? undefined);
  if (currency === undefined) {
    if (!mayBePremium) return undefined;
    throw new Refusal('price_not_set', 'There is no registry cost for this TLD, so a premium domain cannot be priced.');
  }
  if (!mayBePremium && query.mayQueryLater && (await isQueriedElsewhere(ctx, query.registryId))) return 'not_queried';
  const outcomeQuery = registry.check([query.name], { currency, ...wanted });
  const reply = mayBePremium ? await outcomeQuery : await inTime(outcomeQuery, waitMs);
  if (reply.kind === 'done') return reply.data[0];
  if (!mayBePremium) return 'not_queried';
  throw new Refusal(
    'registry_unavailable',
    'The registry cannot quote the price of this domain at the moment. Nothing was ordered.',
    { retryAfterSeconds: 10 },
  );
}

/**
 * The registry's price of a domain that is not registered, in the currency in which the registry is paid; null if it is the usual one.
 * `away`: the registry did not answer, and is queried again before the create command.
 */
export async function queryNewPremium(
  ctx: AppContext,
  query: PremiumQuery,
  years: number,
): Promise<NewPremium | 'not_queried' | null> {
  const found = await queryPrices(ctx, query, { years });
  if (found === 'not_queried') return found;
  if (!found) await refuseTaken(ctx, query);
  if (found?.available === false) throw await taken(ctx, await ctx.registries.of(query.registryId), found);
  return (found && (await newPremium(ctx, servedBy(query), found, years))) ?? null;
}

const servedBy = ({ tld, registryId }: PremiumQuery): Served => ({ tld: tld.name, registryId });

async function newPremium(
  ctx: AppContext,
  served: Served,
  found: Availability,
  years: number,
): Promise<NewPremium | undefined> {
  const { createFee, renewFee } = found;
  if (!createFee) return undefined;
  const own = await ownOf(ctx, served, found, 'create', years);
  return own === undefined ? undefined : { class: own, createFee, renewFee };
}

/**
 * For an order that was accepted at the list price without an answer of the registry: checks the registry's price. Undefined: the
 * command may be sent.
 */
export async function refuseOwnPrice(
  run: Run<'register'> | Run<'renew'> | Run<'transfer'>,
  command: Command,
): Promise<Exclude<Reply<never>, { kind: 'done' }> | undefined> {
  const { ctx, registry, operation } = run;
  const { price_unasked: isUnrequested, years: ordered } = operation.request;
  const currency = isUnrequested && (await currencyOfRegistry(ctx.db.as(allTenants), registry.id));
  if (!currency) return undefined;
  const { domain } = await readDomainWithRules(ctx.db.as(allTenants), operation.domain_id);
  const years = command === 'create' ? ordered : 1;
  const outcomeQuery = { currency, years, ...(command === 'transfer' ? { isTransfer: true as const } : {}) };
  const query = await registry.check([domain.name], outcomeQuery);
  if (query.kind !== 'done') return query.kind === 'unknown' ? { kind: 'unsent', why: query.why } : query;
  const found = query.data[0];
  const fee = found?.[`${command}Fee`];
  if (!fee || (command === 'create' && !found.available)) return undefined;
  const own = await ownOf(ctx, { tld: domain.tld, registryId: registry.id }, found, command, years);
  if (own === undefined) return undefined;
  const text = `the registry's price for ${domain.name} is ${fee.amount} ${fee.currency}, which is not its usual price: order it again with that price as the limit`;
  return { kind: 'refused', evidence: { text, own: { field: 'domainName', code: 'price_guard_required' } } };
}

/** A registered domain will be renewed, so its renewal price is checked together with the current one. */
const ownOf = async (ctx: AppContext, served: Served, found: Availability, command: Command, years: number) =>
  (await ownClass(ctx, served, found, command, years)) ??
  (command === 'renew' ? undefined : await ownClass(ctx, served, found, 'renew', 1));

/** The registry's transfer price, if the domain has its own prices. `away` as for a registration. */
export async function queryTransferPremium(
  ctx: AppContext,
  query: PremiumQuery,
): Promise<TransferPremium | 'not_queried' | null> {
  const found = await queryPrices(ctx, query, { years: 1, isTransfer: true });
  if (found === 'not_queried') return found;
  if (!found?.transferFee) return null;
  const { transferFee, renewFee } = found;
  const own = await ownOf(ctx, servedBy(query), found, 'transfer', 1);
  return own === undefined ? null : { class: own, transferFee, renewFee };
}

export interface PremiumFees {
  readonly class: string;
  /** For one year. */
  readonly renew: Money;
  readonly restore: Money | undefined;
}

/** The registry's current price of a premium domain that we sponsor; null for every other domain. */
export async function queryPremiumFees(ctx: AppContext, domain: Domain): Promise<PremiumFees | null> {
  if (domain.premium_class === null) return null;
  const currency = domain.premium_currency!;
  const registry = await ctx.registries.of(domain.registry_id);
  const query = await registry.check([domain.name], { currency, years: 1 });
  const found = query.kind === 'done' ? query.data[0] : undefined;
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
 * The same for a renewal, also for a domain that had the usual price at registration, because a registry can introduce its own price
 * later. `away`: the registry did not answer in time, and is queried again before the renew command.
 */
export async function queryRenewalFees(
  ctx: AppContext,
  domain: Domain,
  rules: TldRules,
  mayQueryLater: boolean,
): Promise<Pick<PremiumFees, 'class' | 'renew'> | 'not_queried' | null> {
  if (domain.premium_class !== null) return queryPremiumFees(ctx, domain);
  const registry = await ctx.registries.of(domain.registry_id);
  if (!rules.premium_names && !registry.capabilitiesOf(domain.name).supportsFees) return null;
  const currency = await currencyOfRegistry(ctx.db.as(allTenants), domain.registry_id);
  if (currency === undefined) return null;
  if (mayQueryLater && (await isQueriedElsewhere(ctx, domain.registry_id))) return 'not_queried';
  const query = await inTime(registry.check([domain.name], { currency, years: 1 }), waitMs);
  if (query.kind !== 'done') return 'not_queried';
  const found = query.data[0];
  if (!found?.renewFee) return null;
  const own = await ownClass(ctx, { tld: domain.tld, registryId: registry.id }, found, 'renew', 1);
  return own === undefined ? null : { class: own, renew: feeMoney(found.renewFee) };
}

export const times = (price: Money, count: number): Money => money(price.amount * BigInt(count), price.currency);
/** In the form in which it is echoed in the command. */
export const asFee = (price: Money): RegistryFee => ({ amount: formatMoney(price), currency: price.currency });
