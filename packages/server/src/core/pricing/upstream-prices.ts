import { formatMoney, type Money } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import { operatorId } from '../actors.ts';
import type { AppContext } from '../app-context.ts';
import { Refusal } from '../errors.ts';
import { feeMoney } from '../model/fee-money.ts';
import type { ListedPrice } from '../ports/registry.ts';
import { type ExchangeRate, exchange } from './exchange.ts';
import { type Audience, isYearly, type PriceAction, type Rule } from './price.ts';
import { applyRule } from './rule.ts';
import {
  type CostOwner,
  type DatedPrice,
  datedCosts,
  datedPrices,
  exchangeRateAt,
  routedElsewhere,
  tldsWithCosts,
} from './upstream-prices.sql.ts';

/** A cost or a price that an import changes, or that the list of the upstream shows to be outdated. */
export interface PriceChange {
  readonly tld: string;
  readonly action: PriceAction;
  readonly years: number;
  readonly currency: string;
  /** Null: none is stored. */
  readonly before: bigint | null;
  readonly after: bigint;
  /** Null: it applies now. */
  readonly from: Date | null;
}

/** A selling price below its cost; both in the currency of the price. */
export interface LossMaking {
  readonly tld: string;
  readonly action: PriceAction;
  readonly years: number;
  readonly price: Money;
  readonly cost: Money;
  /** Null: now. */
  readonly from: Date | null;
}

export interface UpstreamPrices {
  readonly costs: readonly PriceChange[];
  readonly prices: readonly PriceChange[];
  /** TLDs of the list without a cost before. */
  readonly added: readonly string[];
  /** TLDs whose routes lead to other registries: their selling prices follow the costs there, and are not calculated. */
  readonly unrouted: readonly string[];
  /** TLDs with a cost that the list does not contain. */
  readonly vanished: readonly string[];
  readonly lossMaking: readonly LossMaking[];
}

export interface PriceWish {
  readonly audience: Audience;
  readonly currency: string;
  /** Undefined: costs only. */
  readonly rule?: Rule | undefined;
}

/** Compares the price list of an upstream with our costs, and calculates the selling prices. Stores nothing. */
export async function compareUpstreamPrices(
  ctx: AppContext,
  owner: CostOwner,
  tlds: readonly string[],
  listed: readonly ListedPrice[],
  { audience, currency: priceCurrency, rule }: PriceWish,
): Promise<UpstreamPrices> {
  const at = ctx.clock.now();
  const db = ctx.db.as(allTenants);
  const costed = await tldsWithCosts(db, owner, tlds, at);
  const unrouted = rule ? await routedElsewhere(db, owner, tlds) : [];
  const wanted = listed.filter(({ tld }) => tlds.includes(tld));
  const result = { costs: [] as PriceChange[], prices: [] as PriceChange[], lossMaking: [] as LossMaking[] };
  for (const currency of [...new Set(wanted.map(({ fee }) => fee.currency))].sort()) {
    const rows = wanted.filter(({ fee }) => fee.currency === currency);
    const costs = new Plan(await datedCosts(db, owner, { tlds, at, currency }), currency);
    const priceScope = { tlds, at, ownerId: operatorId, currency: priceCurrency };
    const prices = new Plan(await datedPrices(db, audience, priceScope), priceCurrency);
    const rate =
      currency === priceCurrency
        ? null
        : await exchangeRateAt(db, { base: currency, quote: priceCurrency, at, ownerId: operatorId });
    if (rate === undefined && rule)
      throw new Refusal(
        'conflict',
        `There is no exchange rate from ${currency} to ${priceCurrency}. Set it with namehold exchange-rate set ${currency} ${priceCurrency} RATE, or choose another currency with --price-currency.`,
      );
    result.costs.push(...costs.apply(pointsOf(rows, costs, at), at));
    const points = pointsOf(rows, costs, at);
    const priced = points.filter(({ tld }) => !unrouted.includes(tld));
    const sold = rule ? priced.flatMap((point) => soldAt(point, costs, rule, rate, priceCurrency)) : [];
    result.prices.push(...prices.apply(sold, at));
    if (rate !== undefined) result.lossMaking.push(...lossMakingOf(points, costs, prices, { rate, at }));
  }
  const named = new Set(wanted.map(({ tld }) => tld));
  return {
    ...result,
    unrouted,
    added: [...named].filter((tld) => !costed.includes(tld)).sort(),
    vanished: costed.filter((tld) => !named.has(tld)),
  };
}

/** An amount that applies from a time on. */
interface Point {
  readonly tld: string;
  readonly action: PriceAction;
  readonly years: number;
  readonly at: Date;
  readonly amount: bigint;
}

const keyOf = ({ tld, action, years }: { tld: string; action: string; years: number }) => `${tld} ${action} ${years}`;

/**
 * The amounts of the list now, at each date from which it has another one, and at each later date from which we have another one. One
 * year comes first, because amounts without a row of their own follow from it.
 */
function pointsOf(rows: readonly ListedPrice[], ours: Plan, now: Date): Point[] {
  const byKey = Map.groupBy(rows, ({ tld, command: action, years }) => keyOf({ tld, action, years }));
  const points = [...byKey.values()].flatMap((of) => {
    const { tld, command: action, years } = of[0]!;
    const starts = of.map(({ from }) => Math.max(from?.getTime() ?? 0, now.getTime()));
    const times = [...new Set([...starts, ...ours.laterStarts({ tld, action, years }, now)])].sort((a, b) => a - b);
    return times.flatMap((time): Point[] => {
      const inForce = of
        .filter(({ from }) => (from?.getTime() ?? 0) <= time)
        .sort((a, b) => (b.from?.getTime() ?? 0) - (a.from?.getTime() ?? 0))[0];
      return inForce ? [{ tld, action, years, at: new Date(time), amount: feeMoney(inForce.fee).amount }] : [];
    });
  });
  return points.sort((a, b) => a.years - b.years || a.at.getTime() - b.at.getTime());
}

function soldAt(point: Point, costs: Plan, rule: Rule, rate: ExchangeRate | null | undefined, quote: string): Point[] {
  const cost = { amount: point.amount, currency: costs.currency };
  const price = applyRule(rule, rate ? exchange(cost, quote, rate) : cost, isYearly(point.action) ? point.years : 1);
  return price ? [{ ...point, amount: price.amount }] : [];
}

function lossMakingOf(
  points: readonly Point[],
  costs: Plan,
  prices: Plan,
  { rate, at: now }: { readonly rate: ExchangeRate | null; readonly at: Date },
): LossMaking[] {
  const checked = points.flatMap((point) =>
    [...new Set([point.years, ...prices.yearsOf(point)])].map((years) => ({ ...point, years })),
  );
  const found = checked.flatMap((item): [string, LossMaking][] => {
    const cost = costs.inForce(item, item.at);
    const price = prices.inForce(item, item.at);
    if (cost === undefined || price === undefined) return [];
    const own = { amount: cost, currency: costs.currency };
    const converted = rate ? exchange(own, prices.currency, rate) : own;
    if (price >= converted.amount) return [];
    const { tld, action, years, at } = item;
    const from = at.getTime() > now.getTime() ? at : null;
    const loss = { tld, action, years, price: { amount: price, currency: prices.currency }, cost: converted, from };
    return [[`${keyOf(item)} ${at.getTime()}`, loss]];
  });
  return [...new Map(found).values()];
}

/** Dated rows of one list in one currency, as they are and as an import makes them. */
class Plan {
  readonly currency: string;
  readonly #rows = new Map<string, DatedPrice[]>();

  constructor(rows: readonly DatedPrice[], currency: string) {
    this.currency = currency;
    for (const row of rows) this.#add(row);
  }

  #add(row: DatedPrice): void {
    const key = keyOf(row);
    this.#rows.set(key, [...(this.#rows.get(key) ?? []).filter((old) => +old.validFrom !== +row.validFrom), row]);
  }

  laterStarts(item: { tld: string; action: string; years: number }, now: Date): number[] {
    return (this.#rows.get(keyOf(item)) ?? []).map(({ validFrom }) => +validFrom).filter((time) => time > +now);
  }

  yearsOf({ tld, action }: { tld: string; action: string }): number[] {
    return [...this.#rows.values()]
      .flat()
      .filter((row) => row.tld === tld && row.action === action)
      .map(({ years }) => years);
  }

  /** Without a row for these years, the row for one year is multiplied, as an order does. */
  inForce(item: { tld: string; action: PriceAction; years: number }, at: Date): bigint | undefined {
    const exact = this.#latest(item, at);
    if (exact !== undefined || item.years === 1 || !isYearly(item.action)) return exact;
    const oneYear = this.#latest({ ...item, years: 1 }, at);
    return oneYear === undefined ? undefined : oneYear * BigInt(item.years);
  }

  #latest(item: { tld: string; action: string; years: number }, at: Date): bigint | undefined {
    const rows = (this.#rows.get(keyOf(item)) ?? []).filter(
      ({ validFrom, validTo }) => validFrom <= at && (validTo === null || validTo > at),
    );
    return rows.sort((a, b) => +b.validFrom - +a.validFrom)[0]?.amount;
  }

  /** Adds the amounts that differ, and returns them. */
  apply(points: readonly Point[], now: Date): PriceChange[] {
    const changes: PriceChange[] = [];
    for (const { at, amount, ...item } of points) {
      const before = this.inForce(item, at) ?? null;
      if (before === amount) continue;
      this.#add({ ...item, currency: this.currency, amount, validFrom: at, validTo: null });
      changes.push({ ...item, currency: this.currency, before, after: amount, from: at > now ? at : null });
    }
    return changes.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }
}

/** In the form of `price import`. */
export const csvOf = (changes: readonly PriceChange[]): string =>
  [
    'tld,action,years,currency,amount,valid_from',
    ...changes.map(({ tld, action, years, currency, after, from }) =>
      [tld, action, years, currency, formatMoney({ amount: after, currency }), from?.toISOString() ?? ''].join(','),
    ),
    '',
  ].join('\n');
