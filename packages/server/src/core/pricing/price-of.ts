import { addMoney, type Money, money } from '@namehold/base';
import type { Reader } from '@namehold/postgres';
import { operatorId } from '../actors.ts';
import { Refusal } from '../errors.ts';
import type { PurchaseLevel } from '../ledger/ledger.ts';
import {
  anyCost,
  costMismatch,
  type OtherCurrency,
  type PricedItem,
  payableAt,
  whyUnpriced,
} from './calculate-price.ts';
import { type PriceFacts, readFacts } from './facts.ts';
import type { PriceAction } from './price.ts';

interface PriceQuestion extends PricedItem {
  readonly resellerId: string;
  /** The registry of an existing domain. Default: the one to which the route of the TLD leads. */
  readonly registryId?: string | undefined;
  /** Business time. */
  readonly at: Date;
  /** See `FactQuestion`. */
  readonly ratesAt?: Date | undefined;
}

export interface PricedChain {
  /** What each level pays, buyer first: the amounts that the ledger holds. */
  readonly levels: readonly PurchaseLevel[];
  /** What the buyer pays. */
  readonly total: Money;
  /** The registry's charge, in its own currency. */
  readonly cost?: Money;
}

/** The effective price of one thing at every level of a buyer's chain; `price_not_set` if one level has none. */
export async function priceChain(db: Reader, question: PriceQuestion): Promise<PricedChain> {
  const { resellerId, registryId, at, ratesAt, tld, action } = question;
  const facts = await readFacts(db, { resellerId, registryId, at, ratesAt, tld, action, ownAudience: null });
  return chainOf(facts, question);
}

/** The registry's charge for one thing, in its own currency; undefined if the price list has none. */
export async function registryCost(
  db: Reader,
  thing: PricedItem & { readonly registryId: string },
  at: Date,
): Promise<Money | undefined> {
  const { tld, action, registryId } = thing;
  const facts = await readFacts(db, { resellerId: operatorId, registryId, at, tld, action, ownAudience: null });
  return anyCost(facts, thing, facts.levels.at(-1)!.currency);
}

interface PricedLine {
  readonly action: PriceAction;
  readonly years: number;
  readonly amount: Money;
}

interface PricedOrder extends PricedChain {
  readonly lines: readonly PricedLine[];
}

/** Several lines in one purchase, such as restore and renewal, or registration and privacy. */
export async function priceOrder(
  db: Reader,
  order: Pick<PriceQuestion, 'resellerId' | 'registryId' | 'at' | 'ratesAt'> & {
    readonly things: readonly PricedItem[];
  },
): Promise<PricedOrder> {
  const priced: (PricedChain & { line: PricedLine })[] = [];
  for (const thing of order.things) {
    const { resellerId, registryId, at, ratesAt } = order;
    const chain = await priceChain(db, { ...thing, resellerId, registryId, at, ratesAt });
    priced.push({ ...chain, line: { action: thing.action, years: thing.years, amount: chain.total } });
  }
  const whole = priced.reduce<PricedChain | undefined>(
    (sum, chain) => (sum ? addChains(sum, chain) : chain),
    undefined,
  );
  if (!whole) throw new Error('an order without lines has no price');
  return {
    levels: whole.levels,
    total: whole.total,
    ...(whole.cost ? { cost: whole.cost } : {}),
    lines: priced.map((p) => p.line),
  };
}

function chainOf(facts: PriceFacts, thing: PricedItem): PricedChain {
  const mismatch = costMismatch(facts, thing);
  if (mismatch) throw otherCurrency(thing.tld, mismatch);
  const operator = facts.levels.length - 1;
  const levels = facts.levels
    .slice(0, Math.max(1, operator))
    .map(({ resellerId, sellerId, currency }, place): PurchaseLevel => {
      const amount = payableAt(facts, place, thing);
      if (!amount) throw priceNotSet(thing, currency, place, whyUnpriced(facts, place, thing));
      return { resellerId, sellerId, amount };
    });
  const cost = anyCost(facts, thing, facts.levels[operator]!.currency);
  return { levels, total: levels[0]!.amount, ...(cost ? { cost } : {}) };
}

const reasonTexts = {
  below_zero: ' The rule of your seller would make it less than zero.',
  other_currency: ' The rule of your seller is in another currency.',
};

/** The registry's charge would be booked in a currency that it does not use. */
const otherCurrency = (tld: string, { charged, listed }: OtherCurrency): Refusal =>
  new Refusal(
    'price_not_set',
    `The registry of .${tld} charges in ${charged}, but its costs are listed in ${listed}. The operator must import its costs in ${charged}.`,
  );

function reasonOf(why: ReturnType<typeof whyUnpriced>, currency: string): string {
  if (why === undefined) return '';
  if (why === 'no_price_in_currency')
    return ` Your parent reseller has set no price in ${currency}, and its rules only work on prices in its own currency. Ask your parent reseller to set a price in ${currency}.`;
  if (typeof why === 'string') return reasonTexts[why];
  return ` The registry charges in ${why.unconverted}, and no exchange rate from ${why.unconverted} to ${currency} is set.`;
}

function priceNotSet(thing: PricedItem, currency: string, place: number, why: ReturnType<typeof whyUnpriced>): Refusal {
  const what = `${thing.action} of .${thing.tld} for ${thing.years} ${thing.years === 1 ? 'year' : 'years'}`;
  if (place > 0)
    return new Refusal(
      'price_not_set',
      `An account above yours has no price for ${what}.${typeof why === 'object' ? reasonOf(why, currency) : ''}`,
    );
  return new Refusal('price_not_set', `There is no price for ${what} in ${currency}.${reasonOf(why, currency)}`);
}

function addChains(a: PricedChain, b: PricedChain): PricedChain {
  const cost = !a.cost ? b.cost : !b.cost ? a.cost : sameCurrencyCost(a.cost, b.cost);
  return {
    levels: a.levels.map((level, place) => ({ ...level, amount: addMoney(level.amount, b.levels[place]!.amount) })),
    total: addMoney(a.total, b.total),
    ...(cost ? { cost } : {}),
  };
}

function sameCurrencyCost(a: Money, b: Money): Money {
  if (a.currency !== b.currency) {
    throw new Refusal(
      'price_not_set',
      'The registry costs of this order are in two currencies. Order its parts one by one.',
    );
  }
  return money(a.amount + b.amount, a.currency);
}
