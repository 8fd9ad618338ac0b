import type { Money } from '@namehold/base';
import { operatorId } from '../actors.ts';
import type { AppContext } from '../app-context.ts';
import type { TldRules } from '../model/tld.ts';
import { anyCost, priceChargedBy } from '../pricing/calculate-price.ts';
import { exchange } from '../pricing/exchange.ts';
import { type PriceFacts, readFacts } from '../pricing/facts.ts';
import { type Audience, audiences, isYearly, type PriceAction, priceActions } from '../pricing/price.ts';

/** A rule of the TLD that differs between two registries. Values as in a catalogue file, as JSON. */
export interface RuleDifference {
  /** Its path: `periods.min_years`. */
  readonly rule: string;
  readonly before: string;
  readonly after: string;
}

/** What registries charge. */
export interface CostDifference {
  readonly action: PriceAction;
  readonly years: number;
  /** Null: not in the cost list. */
  readonly before: Money | null;
  readonly after: Money | null;
}

/** A price of the operator that is below the cost; both in the currency of the price. */
interface BelowCost {
  readonly audience: Audience;
  readonly action: PriceAction;
  readonly years: number;
  readonly price: Money;
  readonly cost: Money;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function ruleDifferences(before: TldRules, after: TldRules): RuleDifference[] {
  const compare = (path: string, a: unknown, b: unknown): RuleDifference[] => {
    // The definition of fields is long: its name is enough.
    const [x, y] = path === 'extra_schema' ? [nameOf(a), nameOf(b)] : [a, b];
    if (isObject(x) && isObject(y))
      return [...new Set([...Object.keys(x), ...Object.keys(y)])].flatMap((key) =>
        compare(path === '' ? key : `${path}.${key}`, x[key], y[key]),
      );
    const texts = [JSON.stringify(x ?? null), JSON.stringify(y ?? null)] as const;
    return texts[0] === texts[1] ? [] : [{ rule: path, before: texts[0], after: texts[1] }];
  };
  return compare('', before, after).sort((a, b) => (a.rule < b.rule ? -1 : 1));
}

const nameOf = (schema: unknown): unknown => (isObject(schema) ? schema.name : schema);

const factsAt = (ctx: AppContext, tld: string, registryId: string, ownAudience: Audience | null) => {
  const at = ctx.clock.now();
  return readFacts(ctx.db.as(operatorId), { resellerId: operatorId, registryId, at, tld, action: null, ownAudience });
};

interface Asked {
  readonly tld: string;
  readonly from: string | null;
  readonly to: string;
  readonly yearsMax: number;
}

const currencyOf = (facts: PriceFacts): string => facts.levels[0]!.currency;

function eachItem<T>(yearsMax: number, work: (action: PriceAction, years: number) => T[]): T[] {
  return priceActions.flatMap((action) =>
    Array.from({ length: isYearly(action) ? yearsMax : 1 }, (_, index) => work(action, index + 1)).flat(),
  );
}

export async function costDifferences(ctx: AppContext, { tld, from, to }: Asked): Promise<CostDifference[]> {
  const present = from === null ? null : await factsAt(ctx, tld, from, null);
  const coming = await factsAt(ctx, tld, to, null);
  const costOf = (facts: PriceFacts | null, action: PriceAction): Money | null =>
    (facts && anyCost(facts, { tld, action, years: 1 }, currencyOf(facts))) ?? null;
  return priceActions.flatMap((action): CostDifference[] => {
    const [before, after] = [costOf(present, action), costOf(coming, action)];
    const isEqual = before?.amount === after?.amount && before?.currency === after?.currency;
    return isEqual ? [] : [{ action, years: 1, before, after }];
  });
}

export interface PricesThere {
  readonly belowCost: readonly BelowCost[];
  /** Sold now, and without a price there: its rule cannot be applied to the costs. */
  readonly unpriced: readonly { readonly audience: Audience; readonly action: PriceAction }[];
}

/** The operator's prices with the costs of another registry. */
export async function pricesThere(ctx: AppContext, { tld, from, to, yearsMax }: Asked): Promise<PricesThere> {
  const belowCost: BelowCost[] = [];
  const unpriced: PricesThere['unpriced'][number][] = [];
  for (const audience of audiences) {
    const present = from === null ? null : await factsAt(ctx, tld, from, audience);
    const coming = await factsAt(ctx, tld, to, audience);
    const currency = currencyOf(coming);
    const priceIn = (facts: PriceFacts, action: PriceAction, years: number) =>
      priceChargedBy(facts, 0, currency, { tld, action, years });
    belowCost.push(
      ...eachItem(yearsMax, (action, years) => {
        const price = priceIn(coming, action, years);
        const cost = convertedCost(coming, { tld, action, years }, currency);
        return price && cost && price.amount < cost.amount ? [{ audience, action, years, price, cost }] : [];
      }),
    );
    for (const action of priceActions)
      if (present && priceIn(present, action, 1) && !priceIn(coming, action, 1)) unpriced.push({ audience, action });
  }
  return { belowCost, unpriced };
}

function convertedCost(
  facts: PriceFacts,
  item: { readonly tld: string; readonly action: PriceAction; readonly years: number },
  currency: string,
): Money | undefined {
  const cost = anyCost(facts, item, currency);
  if (!cost || cost.currency === currency) return cost;
  const rate = facts.rates.get(`${cost.currency} ${currency}`);
  return rate && exchange(cost, currency, rate);
}
