import type { Money } from '@namehold/base';
import type { Actor, AppContext } from '../app-context.ts';
import { readTlds } from '../tlds/list.ts';
import { payableAt, priceChargedBy } from './calculate-price.ts';
import { type PriceFacts, readFacts } from './facts.ts';
import { type Audience, isYearly, type PriceAction, priceActions } from './price.ts';
import { readWritten, type WrittenRule } from './set-rules.ts';

/** Prices by years; years that are not sold are missing. */
export type ByYears = Readonly<Record<number, Money>>;

export type TldPrices = Readonly<Record<PriceAction, ByYears>> & { readonly currency: string };

/** By TLD. */
export type PriceList = Readonly<Record<string, TldPrices>>;

/** What the caller itself pays. */
export async function ownPriceList(ctx: AppContext, actor: Actor): Promise<PriceList> {
  const facts = await allFacts(ctx, actor, null);
  return listOf(ctx, facts, (tld, action, years) => payableAt(facts, 0, { tld, action, years }));
}

/** The caller's prices for its customers or sub-resellers, in its selling currency. */
export async function sellingPriceList(ctx: AppContext, actor: Actor, audience: Audience): Promise<PriceList> {
  const facts = await allFacts(ctx, actor, audience);
  const { currency } = facts.levels[0]!;
  return listOf(ctx, facts, (tld, action, years) => priceChargedBy(facts, 0, currency, { tld, action, years }));
}

interface SimulatedPrices {
  readonly before: PriceList;
  readonly after: PriceList;
}

/** The caller's present prices, and those that these rules would give; nothing is stored. */
export async function simulatePrices(
  ctx: AppContext,
  actor: Actor,
  audience: Audience,
  written: readonly WrittenRule[],
): Promise<SimulatedPrices> {
  const facts = await allFacts(ctx, actor, audience);
  const { currency, resellerId } = facts.levels[0]!;
  const simulated = { ...facts, rules: new Map(facts.rules).set(resellerId, readWritten(written, currency)) };
  const listBy = (by: PriceFacts) =>
    listOf(ctx, by, (tld, action, years) => priceChargedBy(by, 0, currency, { tld, action, years }));
  return { before: await listBy(facts), after: await listBy(simulated) };
}

function allFacts(ctx: AppContext, actor: Actor, ownAudience: Audience | null): Promise<PriceFacts> {
  const { resellerId } = actor;
  const question = { resellerId, at: ctx.clock.now(), tld: null, action: null, ownAudience };
  return readFacts(ctx.db.as(resellerId), question);
}

type PriceOf = (tld: string, action: PriceAction, years: number) => Money | undefined;

/** Only offered TLDs, and only for the years that can be ordered. */
async function listOf(ctx: AppContext, facts: PriceFacts, priceOf: PriceOf): Promise<PriceList> {
  const { currency } = facts.levels[0]!;
  const yearsMax = new Map((await readTlds(ctx)).map((tld) => [tld.name, tld.rules.periods.max_years]));
  const list: Record<string, TldPrices> = {};
  for (const tld of facts.tlds) {
    const longest = yearsMax.get(tld);
    if (longest === undefined) continue;
    const byYears = (action: PriceAction): ByYears => {
      const figures: Record<number, Money> = {};
      for (let years = 1; years <= (isYearly(action) ? longest : 1); years++) {
        const price = priceOf(tld, action, years);
        // The operator's costs may be in another currency than the list; such a figure would mislead.
        if (price?.currency === currency) figures[years] = price;
      }
      return figures;
    };
    const prices = Object.fromEntries(priceActions.map((action) => [action, byYears(action)]));
    const sold = prices as Record<PriceAction, ByYears>;
    if ([sold.create, sold.renew, sold.transfer].some((each) => Object.keys(each).length > 0))
      list[tld] = { ...sold, currency };
  }
  return list;
}
