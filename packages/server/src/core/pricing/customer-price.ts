import { addMoney, type Money } from '@namehold/base';
import type { Reader } from '@namehold/postgres';
import { Refusal } from '../errors.ts';
import { type PricedItem, priceChargedBy } from './calculate-price.ts';
import { readFacts } from './facts.ts';
import type { PriceAction } from './price.ts';

interface Seller {
  readonly resellerId: string;
  /** The registry of an existing domain. Default: the one to which the route of the TLD leads. */
  readonly registryId?: string | undefined;
  readonly at: Date;
  readonly ratesAt?: Date | undefined;
}

/** The price of a reseller for its customers; undefined if it has none: its own cost is not disclosed. */
export async function customerPrice(
  db: Reader,
  { tld, action, ...seller }: Seller & { readonly tld: string; readonly action: PriceAction },
): Promise<Money | undefined> {
  return chargedPrice(db, seller, { tld, action, years: 1 });
}

/** The price of everything in one order; `price_not_set` if the reseller has no price for customers. */
export async function customerTotal(db: Reader, seller: Seller, things: readonly PricedItem[]): Promise<Money> {
  let total: Money | undefined;
  for (const thing of things) {
    const price = await chargedPrice(db, seller, thing);
    if (!price) throw notSet(thing);
    total = total ? addMoney(total, price) : price;
  }
  if (!total) throw new Error('an order without lines has no price');
  return total;
}

async function chargedPrice(
  db: Reader,
  { resellerId, registryId, at, ratesAt }: Seller,
  thing: PricedItem,
): Promise<Money | undefined> {
  const { tld, action } = thing;
  const facts = await readFacts(db, { resellerId, registryId, at, ratesAt, tld, action, ownAudience: 'customer' });
  return priceChargedBy(facts, 0, facts.levels[0]!.currency, thing);
}

function notSet({ action, tld, years }: PricedItem): Refusal {
  const span = `${years} ${years === 1 ? 'year' : 'years'}`;
  return new Refusal(
    'price_not_set',
    `You have no customer price for ${action} of .${tld} for ${span}. Set one in your customer price list. A rule that leads below zero sets no price.`,
  );
}
