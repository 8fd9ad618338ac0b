import { type Reader, sql } from '@namehold/postgres';
import { costsOfDomain, rulesOfDomain } from '../../tables/tld-registry.sql.ts';
import { lifePolicy } from '../lifecycle.ts';
import { hasEarlierDate } from './renewal.sql.ts';

/**
 * Domains of a registry that are renewed automatically within these days, and our costs for one year of each in one currency. Premium
 * domains have no listed cost.
 */
export async function renewalCosts(
  db: Reader,
  wanted: { readonly registryId: string; readonly currency: string; readonly at: Date; readonly days: number },
): Promise<{ readonly domains: number; readonly unpriced: number; readonly cost: bigint }> {
  const { registryId, currency, at, days } = wanted;
  const leadDays = sql`coalesce((${rulesOfDomain} ->> 'renewal_lead_days')::int, ${lifePolicy.renewalLeadDays})`;
  const row = await db.one<{ domains: number; unpriced: number; cost: string }>(sql`
    select count(*)::integer as domains, (count(*) filter (where c.amount is null))::integer as unpriced, coalesce(sum(c.amount), 0)::text as cost
    from domain d join tld t on t.name = d.tld
    left join lateral (
      select r.amount from ${costsOfDomain} r where d.premium_class is null and r.action = 'renew' and r.years = 1
        and r.currency = ${currency} and r.valid_from <= ${at} and (r.valid_to is null or r.valid_to > ${at})
      order by r.valid_from desc limit 1) c on true
    where d.registry_id = ${registryId} and d.state = 'live' and d.renewal_mode in ('renew', 'renew_once')
      and case when ${hasEarlierDate} then d.registry_renew_by else d.end_date end
        <= ${at}::timestamptz + make_interval(days => ${leadDays} + ${days}::integer)`);
  return { ...row, cost: BigInt(row.cost) };
}
