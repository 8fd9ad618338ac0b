import { type Reader, type Sql, sql } from '@namehold/postgres';
import type { Audience } from './price.ts';

export interface DatedPrice {
  readonly tld: string;
  readonly action: string;
  readonly years: number;
  readonly currency: string;
  readonly amount: bigint;
  readonly validFrom: Date;
  readonly validTo: Date | null;
}

interface Wanted {
  readonly tlds: readonly string[];
  readonly currency: string;
  readonly at: Date;
}

/** A registry, perhaps before it is connected. */
export interface CostOwner {
  readonly registryId: string;
  /** Its connection will set the routes of its TLDs to it. */
  readonly takesRoutes?: boolean | undefined;
}

/** The costs of TLDs at a registry: its own ones at an alternative. A registry without either has none. */
const costsAt = ({ registryId, takesRoutes = false }: CostOwner) => sql`(
  select c.tld, c.action, c.years, c.currency, c.amount, c.valid_from, c.valid_to from registry_cost c
  where not exists (select from tld_alternative a where a.tld = c.tld and a.registry_id = ${registryId})
    and (${takesRoutes} or not exists (select from registry_tld s where s.tld = c.tld and s.registry_id <> ${registryId}))
  union all select tld, action, years, currency, amount, valid_from, valid_to from tld_alternative_cost where registry_id = ${registryId}) c`;

export function datedCosts(db: Reader, owner: CostOwner, wanted: Wanted): Promise<DatedPrice[]> {
  return inForce(db, costsAt(owner), wanted);
}

export function datedPrices(
  db: Reader,
  audience: Audience,
  wanted: Wanted & { readonly ownerId: string },
): Promise<DatedPrice[]> {
  const own = sql`(
    select tld, action, years, currency, amount, valid_from, valid_to from price where owner_reseller_id = ${wanted.ownerId} and audience = ${audience}) p`;
  return inForce(db, own, wanted);
}

/** Rows of these TLDs in one currency that are in force now or later. */
async function inForce(db: Reader, from: Sql, { tlds, currency, at }: Wanted): Promise<DatedPrice[]> {
  const rows = await db.many<Omit<DatedPrice, 'amount' | 'validFrom' | 'validTo'> & Stored>(sql`
    select tld, action, years, currency, amount, valid_from, valid_to from ${from}
    where tld = any(${[...tlds]}::text[]) and currency = ${currency} and (valid_to is null or valid_to > ${at})
    order by tld, action, years, valid_from`);
  return rows.map(({ amount, valid_from, valid_to, ...row }) => ({
    ...row,
    amount: BigInt(amount),
    validFrom: valid_from,
    validTo: valid_to,
  }));
}

/** Those of these TLDs whose routes lead to other registries. */
export async function routedElsewhere(
  db: Reader,
  { registryId, takesRoutes }: CostOwner,
  tlds: readonly string[],
): Promise<string[]> {
  if (takesRoutes) return [];
  const rows = await db.many<{ tld: string }>(sql`
    select tld from registry_tld where tld = any (${tlds}::text[]) and registry_id <> ${registryId} order by tld`);
  return rows.map(({ tld }) => tld);
}

/** TLDs with a cost in force at the registry, in alphabetical order. */
export async function tldsWithCosts(
  db: Reader,
  owner: CostOwner,
  tlds: readonly string[],
  at: Date,
): Promise<string[]> {
  const rows = await db.many<{ tld: string }>(sql`
    select distinct tld from ${costsAt(owner)}
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
