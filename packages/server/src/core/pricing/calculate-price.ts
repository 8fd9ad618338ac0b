import type { Money } from '@namehold/base';
import { exchange } from './exchange.ts';
import { costKey, type Level, type PriceFacts, priceKey } from './facts.ts';
import { isYearly, type PriceAction } from './price.ts';
import { applyRule, chooseRule } from './rule.ts';

export interface PricedItem {
  readonly tld: string;
  readonly action: PriceAction;
  readonly years: number;
  /** A premium domain: the registry's fee for all years together. */
  readonly premiumFee?: Money | undefined;
}

/** The registry's charge, from its fee or the list of costs, in this currency or none. */
function listedIn(facts: PriceFacts, thing: PricedItem, currency: string): Money | undefined {
  if (thing.premiumFee) return thing.premiumFee.currency === currency ? thing.premiumFee : undefined;
  const amount = byYears(thing, (years) => facts.costs.get(costKey(thing.tld, thing.action, years))?.get(currency));
  return amount === undefined ? undefined : { amount, currency };
}

/** The same, converted by the operator's exchange rate if the registry charges in another currency. */
function costIn(facts: PriceFacts, thing: PricedItem, currency: string): Money | undefined {
  const listed = listedIn(facts, thing, currency);
  const charged = facts.registryCurrencies.get(thing.tld);
  if (listed && (thing.premiumFee || charged === undefined || charged === currency)) return listed;
  const cost = anyCost(facts, thing, charged ?? currency);
  const rate = cost && facts.rates.get(`${cost.currency} ${currency}`);
  return cost && rate && exchange(cost, currency, rate);
}

/** The registry's charge: in the currency in which it charges; if that is not stated, preferably in this one, else in any listed one. */
export function anyCost(facts: PriceFacts, thing: PricedItem, preferred: string): Money | undefined {
  if (thing.premiumFee) return thing.premiumFee;
  const charged = facts.registryCurrencies.get(thing.tld);
  if (charged !== undefined) return listedIn(facts, thing, charged);
  const own = listedIn(facts, thing, preferred);
  if (own) return own;
  const [currency] = costCurrencies(facts, thing);
  return currency === undefined ? undefined : listedIn(facts, thing, currency);
}

/** The currencies in which the list has the registry's charge for this. */
function costCurrencies(facts: PriceFacts, { tld, action, years }: PricedItem): string[] {
  const of = facts.costs.get(costKey(tld, action, years)) ?? facts.costs.get(costKey(tld, action, 1));
  return [...(of?.keys() ?? [])].sort();
}

export interface OtherCurrency {
  readonly charged: string;
  readonly listed: string;
}

/** The list has the charge only in currencies other than the registry's. */
export function costMismatch(facts: PriceFacts, thing: PricedItem): OtherCurrency | undefined {
  const charged = facts.registryCurrencies.get(thing.tld);
  const listed = costCurrencies(facts, thing);
  if (charged === undefined || thing.premiumFee || listed.length === 0 || listed.includes(charged)) return undefined;
  return { charged, listed: listed.join(', ') };
}

/** A row for these years is used as it is; without one, the row for one year is multiplied. */
function byYears(thing: PricedItem, amountFor: (years: number) => bigint | undefined): bigint | undefined {
  const exact = amountFor(thing.years);
  if (exact !== undefined || thing.years === 1 || !isYearly(thing.action)) return exact;
  const oneYear = amountFor(1);
  return oneYear === undefined ? undefined : oneYear * BigInt(thing.years);
}

/** What the level at this place pays its parent; the operator pays the registry. */
export function payableAt(facts: PriceFacts, place: number, thing: PricedItem): Money | undefined {
  const level = facts.levels[place]!;
  if (level.sellerId === null) return anyCost(facts, thing, level.currency);
  return priceChargedBy(facts, place + 1, level.currency, thing);
}

/** The price of the seller at this place in this currency: its own price, else its rule on what it pays, else none. */
export function priceChargedBy(
  facts: PriceFacts,
  place: number,
  currency: string,
  thing: PricedItem,
): Money | undefined {
  const seller = facts.levels[place]!;
  // A list price is for standard domains; a premium price always follows the registry's fee.
  if (!thing.premiumFee) {
    const amount = byYears(thing, (years) =>
      facts.prices.get(priceKey(seller.resellerId, thing.tld, thing.action, years, currency)),
    );
    if (amount !== undefined) return { amount, currency };
  }
  const rule = chooseRule(facts.rules.get(seller.resellerId) ?? [], thing.tld, thing.action, currency);
  if (!rule) return undefined;
  const base = ownPrice(facts, place, seller, currency, thing);
  return base && applyRule(rule, base, isYearly(thing.action) ? thing.years : 1);
}

/** Why the seller at this place has no price although it has a rule. */
export function whyUnpriced(
  facts: PriceFacts,
  place: number,
  thing: PricedItem,
): 'below_zero' | 'other_currency' | 'no_price_in_currency' | { readonly unconverted: string } | undefined {
  const { sellerId, currency } = facts.levels[place]!;
  if (sellerId === null) return undefined;
  const seller = facts.levels[place + 1]!;
  const rules = facts.rules.get(seller.resellerId) ?? [];
  if (chooseRule(rules, thing.tld, thing.action, currency)) {
    if (ownPrice(facts, place + 1, seller, currency, thing)) return 'below_zero';
    // Only the operator's rules work on converted costs; a reseller's rule needs its own price in the currency of the buyer.
    if (seller.sellerId !== null && seller.currency !== currency) return 'no_price_in_currency';
    const cost = anyCost(facts, thing, currency);
    return cost && cost.currency !== currency ? { unconverted: cost.currency } : undefined;
  }
  const fits = rules.some(
    (rule) => rule.kind === 'fixed' && chooseRule([rule], thing.tld, thing.action, rule.currency),
  );
  return fits ? 'other_currency' : undefined;
}

/** A rule works on a price in the payer's currency. Only the registry's charge is converted, by the operator's exchange rate. */
function ownPrice(
  facts: PriceFacts,
  place: number,
  seller: Level,
  currency: string,
  thing: PricedItem,
): Money | undefined {
  if (seller.sellerId === null) return costIn(facts, thing, currency);
  return seller.currency === currency ? payableAt(facts, place, thing) : undefined;
}
