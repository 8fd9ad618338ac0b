import { type Reader, sql } from '@namehold/postgres';
import { costsByRegistry } from '../tables/tld-registry.sql.ts';
import type { PriceAction } from './price.ts';

/** A registry of a TLD, with one of its costs in force, or none. */
export interface OfferedCostRow {
  readonly tld: string;
  readonly registry_id: string;
  readonly is_route: boolean;
  /** The currency in which the registry charges, if that is stated. */
  readonly stated: string | null;
  readonly action: PriceAction | null;
  readonly years: number | null;
  readonly currency: string | null;
  readonly amount: string | null;
  readonly valid_from: Date | null;
}

/** `tlds` null: those that several registries serve. */
export async function offeredCosts(
  db: Reader,
  { tlds, years, at }: { readonly tlds: readonly string[] | null; readonly years: number; readonly at: Date },
): Promise<OfferedCostRow[]> {
  return db.many<OfferedCostRow>(sql`
    with served as (
      select s.tld, s.registry_id, s.is_route, r.currency as stated, count(*) over (partition by s.tld) as n from (
        select tld, registry_id, true as is_route from registry_tld
        union all select tld, registry_id, false from tld_alternative where can_route) s
      join registry r on r.id = s.registry_id and r.is_active
    ), cost as (
      select distinct on (c.tld, c.registry_id, c.action, c.years, c.currency)
        c.tld, c.registry_id, c.action, c.years, c.currency, c.amount, c.valid_from from ${costsByRegistry} c
      where c.years in (1, ${years}::int) and c.valid_from <= ${at} and (c.valid_to is null or c.valid_to > ${at})
      order by c.tld, c.registry_id, c.action, c.years, c.currency, c.valid_from desc
    )
    select s.tld, s.registry_id, s.is_route, s.stated, c.action, c.years, c.currency, c.amount, c.valid_from
    from served s left join cost c on c.tld = s.tld and c.registry_id = s.registry_id
    where case when ${tlds as string[] | null}::text[] is null then s.n > 1 else s.tld = any (${tlds as string[] | null}::text[]) end
    order by s.tld, s.registry_id`);
}

export interface DatedRate {
  readonly base: string;
  /** Decimal text. */
  readonly rate: string;
  /** The rate times 10^12. */
  readonly scaled: string;
  readonly margin_basis_points: number;
  readonly valid_from: Date;
}

/** The operator's exchange rates in force, to one currency. */
export async function ratesTo(db: Reader, quote: string, ownerId: string, at: Date): Promise<DatedRate[]> {
  return db.many<DatedRate>(sql`
    select distinct on (base) base, trim_scale(rate)::text as rate, (rate * 1000000000000)::bigint as scaled, margin_basis_points, valid_from
    from exchange_rate where reseller_id = ${ownerId} and quote = ${quote} and valid_from <= ${at}
    order by base, valid_from desc, id desc`);
}
