import { isCurrency, MoneyError, parseMoney } from '@namehold/base';
import type { Reader, Tx } from '@namehold/postgres';
import { type Actor, type AppContext, write } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, inEntry, Refusal } from '../errors.ts';
import { watchCostCurrencies } from '../registries/currency.ts';
import { lockRoutes } from '../registries/route.sql.ts';
import { missingTlds } from '../tlds/tld.sql.ts';
import { type CostPlaces, placeCost, readCostPlaces } from './cost-place.ts';
import { type Audience, normaliseTld, type PriceAction, priceActions, priceLimits } from './price.ts';
import { type PriceLine, sellingCurrencyOf, upsertCosts, upsertPrices } from './pricing.sql.ts';

/** An unchecked line. A null amount removes the price from the list from `valid_from` on. */
export interface WrittenPrice {
  readonly tld: string;
  readonly action: string;
  readonly years?: number | undefined;
  readonly amount: string | null;
  readonly currency?: string | undefined;
  readonly validFrom?: Date | undefined;
  readonly validTo?: Date | undefined;
  /** Of a cost: the registry that charges it. Default: the one of the route. */
  readonly registry?: string | undefined;
}

/** `cost` is the registry's charge: for the operator only. */
export type PriceTarget = Audience | 'cost';

export async function setPrices(
  ctx: AppContext,
  actor: Actor,
  target: PriceTarget,
  written: readonly WrittenPrice[],
): Promise<{ readonly stored: number; readonly unknownTlds: readonly string[] }> {
  if (written.length > priceLimits.pricesPerCall) {
    throw badField('prices', `Must have at most ${priceLimits.pricesPerCall} lines in one call.`, 'too_many');
  }
  const result = await write(ctx, actor, async (tx) => {
    const currency = await sellingCurrencyOf(tx, actor.resellerId);
    const places = await costPlaces(ctx, tx, target);
    const lines = written.map((line, place) =>
      inEntry('prices', place, () => readLine(line, currency, ctx.clock.now(), places)),
    );
    await storePrices(ctx, tx, actor, target, lines);
    return { stored: lines.length, unknownTlds: await unknownTlds(tx, lines) };
  });
  if (target === 'cost') await watchCostCurrencies(ctx);
  return result;
}

/** Undefined: the lines are no costs. Until the transaction ends, no route changes. */
export async function costPlaces(ctx: AppContext, tx: Tx, target: PriceTarget): Promise<CostPlaces | undefined> {
  if (target !== 'cost') return undefined;
  await lockRoutes(tx, 'keep');
  return readCostPlaces(ctx);
}

export async function storePrices(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  target: PriceTarget,
  lines: readonly PriceLine[],
): Promise<void> {
  if (target === 'cost' && !actor.isOperator) throw new Refusal('operator_only');
  if (lines.length === 0) return;
  if (target === 'cost') await upsertCosts(tx, lastOfEach(lines));
  else await upsertPrices(tx, actor.resellerId, target, lastOfEach(lines));
  await audit(ctx, tx, actor, {
    action: 'price.set',
    objectType: 'price_list',
    objectId: target,
    after: { lines: lines.length, tlds: [...new Set(lines.map((line) => line.tld))].slice(0, 100) },
  });
}

/** Named TLDs that are not in the catalogue: their prices are kept, but they cannot be ordered yet. */
export function unknownTlds(db: Reader, named: readonly { readonly tld: string | null }[]): Promise<string[]> {
  return missingTlds(db, [...new Set(named.flatMap(({ tld }) => tld ?? []))]);
}

/** Of two lines for the same price in one call the later counts. */
function lastOfEach(lines: readonly PriceLine[]): PriceLine[] {
  const key = (l: PriceLine) =>
    `${l.alternative ?? ''} ${l.tld} ${l.action} ${l.years} ${l.currency} ${l.validFrom.getTime()}`;
  return [...new Map(lines.map((line) => [key(line), line])).values()];
}

export function readLine(
  written: WrittenPrice,
  ownCurrency: string,
  now: Date,
  places: CostPlaces | undefined,
): PriceLine {
  const line = readPriceLine(written, ownCurrency, now);
  if (places) return placeCost(line, written.registry?.trim() || undefined, places);
  if (written.registry !== undefined) throw badField('registry', 'Only costs have a registry. Leave this field out.');
  return line;
}

function readPriceLine(written: WrittenPrice, ownCurrency: string, now: Date): PriceLine {
  const action = written.action.trim().toLowerCase();
  if (!priceActions.includes(action as PriceAction))
    throw badField('action', `Must be one of ${priceActions.join(', ')}.`);
  const years = written.years ?? 1;
  if (!Number.isInteger(years) || years < 1 || years > priceLimits.yearsMax) {
    throw badField('years', `Must be a whole number from 1 to ${priceLimits.yearsMax}.`);
  }
  const currency = (written.currency ?? ownCurrency).trim().toUpperCase();
  if (!isCurrency(currency)) throw badField('currency', `"${currency.slice(0, 10)}" is not an ISO 4217 currency code.`);
  const validFrom = written.validFrom ?? now;
  const validTo = written.validTo ?? null;
  if (validTo && validTo <= validFrom) throw badField('validTo', 'Must be later than the start.');
  const amount = written.amount === null ? null : amountOf(written.amount, currency);
  return { tld: normaliseTld(written.tld), action: action as PriceAction, years, currency, amount, validFrom, validTo };
}

function amountOf(text: string, currency: string): bigint {
  try {
    const { amount } = parseMoney(text, currency);
    if (amount >= 0n) return amount;
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    throw badField('amount', error.message);
  }
  throw badField('amount', 'Must not be negative.');
}
