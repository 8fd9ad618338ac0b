import { isCurrency, type Money, money } from '@namehold/base';
import { everything } from '../accounts/everything.ts';
import { operatorId } from '../actors.ts';
import type { Actor, AppContext } from '../app-context.ts';
import { badField } from '../errors.ts';
import { type DatedRate, type OfferedCostRow, offeredCosts, ratesTo } from './compare-costs.sql.ts';
import { exchange } from './exchange.ts';
import { isYearly, normaliseTld, type PriceAction, priceActions, priceLimits } from './price.ts';
import { sellingCurrencyOf } from './pricing.sql.ts';

interface CostQuestion {
  /** Default: TLDs that several registries serve. */
  readonly tlds?: readonly string[] | undefined;
  /** Default: 1. */
  readonly years?: number | undefined;
  /** The currency of the comparison. Default: the operator's. */
  readonly currency?: string | undefined;
  /** Default: now. */
  readonly at?: Date | undefined;
}

export interface OfferedCost {
  readonly registryId: string;
  /** New registrations and transfers in go to it. */
  readonly isRoute: boolean;
  readonly cost: Money;
  /** Since when it applies. */
  readonly since: Date;
  /** In the currency of the comparison. */
  readonly converted: Money;
  /** Null: it is in that currency. */
  readonly rate: Pick<DatedRate, 'rate' | 'margin_basis_points' | 'valid_from'> | null;
}

export interface Uncompared {
  readonly registryId: string;
  readonly isRoute: boolean;
  /** `other_currency`: its costs are not in the currency in which it charges. */
  readonly reason: 'no_cost' | 'no_exchange_rate' | 'other_currency';
  readonly cost: Money | null;
}

export interface ComparedAction {
  readonly tld: string;
  readonly action: PriceAction;
  readonly years: number;
  /** The cheapest first. */
  readonly offers: readonly OfferedCost[];
  readonly uncompared: readonly Uncompared[];
}

export interface CostComparison {
  readonly currency: string;
  readonly at: Date;
  readonly compared: readonly ComparedAction[];
  /** TLDs of the question that no registry serves. */
  readonly unserved: readonly string[];
}

/** What the registries of each TLD charge for each action. Actions without a cost at any registry are left out. */
export async function compareCosts(ctx: AppContext, actor: Actor, question: CostQuestion): Promise<CostComparison> {
  const db = everything(ctx, actor);
  const { years = 1, at = ctx.clock.now() } = question;
  if (!Number.isInteger(years) || years < 1 || years > priceLimits.yearsMax)
    throw badField('years', `Must be a whole number from 1 to ${priceLimits.yearsMax}.`);
  const currency = question.currency ?? (await sellingCurrencyOf(db, operatorId));
  if (!isCurrency(currency)) throw badField('currency', 'Must be an ISO 4217 currency code such as EUR.');
  const tlds = question.tlds?.map(normaliseTld) ?? null;
  const rows = await offeredCosts(db, { tlds, years, at });
  const rates = new Map((await ratesTo(db, currency, operatorId, at)).map((rate) => [rate.base, rate]));
  const compared = [...Map.groupBy(rows, ({ tld }) => tld)].flatMap(([tld, of]) =>
    priceActions.flatMap((action) => compareAction({ tld, action, years, currency }, of, rates)),
  );
  const served = new Set(rows.map(({ tld }) => tld));
  return { currency, at, compared, unserved: (tlds ?? []).filter((tld) => !served.has(tld)) };
}

interface Item {
  readonly tld: string;
  readonly action: PriceAction;
  readonly years: number;
  readonly currency: string;
}

function compareAction(item: Item, rows: readonly OfferedCostRow[], rates: ReadonlyMap<string, DatedRate>) {
  if (item.years > 1 && !isYearly(item.action)) return [];
  const offers: OfferedCost[] = [];
  const uncompared: Uncompared[] = [];
  for (const of of Map.groupBy(rows, ({ registry_id }) => registry_id).values()) {
    const result = offerOf(item, of, rates);
    if ('reason' in result) uncompared.push(result);
    else offers.push(result);
  }
  if (offers.length === 0 && uncompared.every(({ reason }) => reason === 'no_cost')) return [];
  const { tld, action, years } = item;
  offers.sort((a, b) =>
    a.converted.amount < b.converted.amount ? -1 : a.converted.amount > b.converted.amount ? 1 : 0,
  );
  return [{ tld, action, years, offers, uncompared }];
}

/** The cost of one registry: in the currency in which it charges, else in the one of the comparison, else in any. */
function offerOf(
  { action, years, currency }: Item,
  rows: readonly OfferedCostRow[],
  rates: ReadonlyMap<string, DatedRate>,
): OfferedCost | Uncompared {
  const { registry_id: registryId, is_route: isRoute, stated } = rows[0]!;
  const found = rows
    .filter((row) => row.action === action)
    // A row for these years comes before the one for one year, which is multiplied.
    .sort((a, b) => b.years! - a.years! || (a.currency! < b.currency! ? -1 : 1));
  const inCurrency = (wanted: string) => found.find((row) => row.currency === wanted);
  const row = stated === null ? (inCurrency(currency) ?? found[0]) : inCurrency(stated);
  if (!row) {
    const [other] = found;
    const cost = other ? costOf(other, years) : null;
    return { registryId, isRoute, reason: other ? 'other_currency' : 'no_cost', cost };
  }
  const cost = costOf(row, years);
  const common = { registryId, isRoute, cost, since: row.valid_from! };
  if (cost.currency === currency) return { ...common, converted: cost, rate: null };
  const rate = rates.get(cost.currency);
  if (!rate) return { registryId, isRoute, reason: 'no_exchange_rate', cost };
  const { margin_basis_points: marginBasisPoints } = rate;
  return { ...common, converted: exchange(cost, currency, { scaled: BigInt(rate.scaled), marginBasisPoints }), rate };
}

const costOf = (row: OfferedCostRow, years: number): Money =>
  money(BigInt(row.amount!) * BigInt(row.years === years ? 1 : years), row.currency!);
