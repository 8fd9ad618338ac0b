import { type Reader, sql } from '@namehold/postgres';
import type { PriceTarget } from './set-price.ts';

export interface DatedPrice {
  readonly tld: string;
  readonly action: string;
  readonly years: number;
  readonly currency: string;
  readonly amount: bigint;
  readonly validFrom: Date;
  readonly validTo: Date | null;
}

/** Costs, or the operator's prices, of these TLDs in one currency that are in force now or later. */
export async function datedPrices(
  db: Reader,
  target: PriceTarget,
  wanted: { readonly tlds: readonly string[]; readonly currency: string; readonly at: Date; readonly ownerId: string },
): Promise<DatedPrice[]> {
  const { tlds, currency, at, ownerId } = wanted;
  const from = target === 'cost' ? sql.raw('registry_cost') : sql.raw('price');
  const owned = target === 'cost' ? sql.raw('true') : sql`owner_reseller_id = ${ownerId} and audience = ${target}`;
  const rows = await db.many<Omit<DatedPrice, 'amount' | 'validFrom' | 'validTo'> & Stored>(sql`
    select tld, action, years, currency, amount, valid_from, valid_to from ${from}
    where ${owned} and tld = any(${[...tlds]}::text[]) and currency = ${currency} and (valid_to is null or valid_to > ${at})
    order by tld, action, years, valid_from`);
  return rows.map(({ amount, valid_from, valid_to, ...row }) => ({
    ...row,
    amount: BigInt(amount),
    validFrom: valid_from,
    validTo: valid_to,
  }));
}

/** TLDs with a cost in force, in alphabetical order. */
export async function tldsWithCosts(db: Reader, tlds: readonly string[], at: Date): Promise<string[]> {
  const rows = await db.many<{ tld: string }>(sql`
    select distinct tld from registry_cost
    where tld = any(${[...tlds]}::text[]) and valid_from <= ${at} and (valid_to is null or valid_to > ${at}) order by tld`);
  return rows.map(({ tld }) => tld);
}

interface Stored {
  readonly amount: string;
  readonly valid_from: Date;
  readonly valid_to: Date | null;
}

/** The operator's exchange rate in force: the rate times 10^12, and its margin. */
export async function exchangeRateAt(
  db: Reader,
  {
    base,
    quote,
    at,
    ownerId,
  }: { readonly base: string; readonly quote: string; readonly at: Date; readonly ownerId: string },
): Promise<{ readonly scaled: bigint; readonly marginBasisPoints: number } | undefined> {
  const row = await db.maybe<{ scaled: string; margin_basis_points: number }>(sql`
    select (rate * 1000000000000)::bigint as scaled, margin_basis_points from exchange_rate
    where reseller_id = ${ownerId} and base = ${base} and quote = ${quote} and valid_from <= ${at} order by valid_from desc limit 1`);
  return row && { scaled: BigInt(row.scaled), marginBasisPoints: row.margin_basis_points };
}
