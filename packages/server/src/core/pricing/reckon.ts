import type { Money } from '@namehold/base';
import { costKey, type Level, type PriceFacts, priceKey } from './facts.ts';
import { isYearly, type PriceAction } from './price.ts';
import { applyRule, chooseRule } from './rule.ts';

export interface PricedThing {
  readonly tld: string;
  readonly action: PriceAction;
  readonly years: number;
  /** A premium name: what the registry asks for it, for all the years together. */
  readonly premiumFee?: Money | undefined;
}

/** What the registry takes, in the wished currency or none. */
function costIn(facts: PriceFacts, thing: PricedThing, currency: string): Money | undefined {
  if (thing.premiumFee) return thing.premiumFee.currency === currency ? thing.premiumFee : undefined;
  const amount = byYears(thing, (years) => facts.costs.get(costKey(thing.tld, thing.action, years))?.get(currency));
  return amount === undefined ? undefined : { amount, currency };
}

/** What the registry takes, preferably in this currency, else in whichever it takes. */
export function anyCost(facts: PriceFacts, thing: PricedThing, preferred: string): Money | undefined {
  if (thing.premiumFee) return thing.premiumFee;
  const own = costIn(facts, thing, preferred);
  if (own) return own;
  const years = facts.costs.has(costKey(thing.tld, thing.action, thing.years)) ? thing.years : 1;
  const [currency] = [...(facts.costs.get(costKey(thing.tld, thing.action, years))?.keys() ?? [])].sort();
  return currency === undefined ? undefined : costIn(facts, thing, currency);
}

/** A row for these years is taken as it is; without one, the row for one year counts that many times. */
function byYears(thing: PricedThing, amountFor: (years: number) => bigint | undefined): bigint | undefined {
  const exact = amountFor(thing.years);
  if (exact !== undefined || thing.years === 1 || !isYearly(thing.action)) return exact;
  const oneYear = amountFor(1);
  return oneYear === undefined ? undefined : oneYear * BigInt(thing.years);
}

/** What the level at this place pays its parent; the operator pays the registry. */
export function payableAt(facts: PriceFacts, place: number, thing: PricedThing): Money | undefined {
  const level = facts.levels[place]!;
  if (level.sellerId === null) return anyCost(facts, thing, level.currency);
  return askedBy(facts, place + 1, level.currency, thing);
}

/** What the seller at this place asks in this currency: its own price, else its rule on what it pays itself, else nothing. */
export function askedBy(facts: PriceFacts, place: number, currency: string, thing: PricedThing): Money | undefined {
  const seller = facts.levels[place]!;
  // A list price is made for ordinary names; a premium one always follows the registry's fee.
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

/** Why the seller of the level at this place has no price although it has a rule. */
export function whyUnpriced(
  facts: PriceFacts,
  place: number,
  thing: PricedThing,
): 'below_zero' | 'other_currency' | undefined {
  const { sellerId, currency } = facts.levels[place]!;
  if (sellerId === null) return undefined;
  const seller = facts.levels[place + 1]!;
  const rules = facts.rules.get(seller.resellerId) ?? [];
  if (chooseRule(rules, thing.tld, thing.action, currency))
    return ownPrice(facts, place + 1, seller, currency, thing) ? 'below_zero' : undefined;
  const fits = rules.some(
    (rule) => rule.kind === 'fixed' && chooseRule([rule], thing.tld, thing.action, rule.currency),
  );
  return fits ? 'other_currency' : undefined;
}

/** No exchange between currencies: a rule works only on a price in the payer's currency. */
function ownPrice(
  facts: PriceFacts,
  place: number,
  seller: Level,
  currency: string,
  thing: PricedThing,
): Money | undefined {
  if (seller.sellerId === null) return costIn(facts, thing, currency);
  return seller.currency === currency ? payableAt(facts, place, thing) : undefined;
}
