import { type Reader, type Sql, sql, type Tx } from '@namehold/postgres';
import type { Domain, RenewalMode, With } from '../../model/domain.ts';
import { domainTable } from '../../tables/domain.sql.ts';
import { rulesOfDomain } from '../../tables/tld-registry.sql.ts';
import { lifePolicy } from '../lifecycle.ts';

export interface ModeChange {
  readonly mode: RenewalMode;
  readonly maxPrice: string | null;
}

/** Tried at once if it is due, regardless of attempts under the previous mode. */
export async function saveMode(tx: Tx, resellerId: string, id: string, change: ModeChange): Promise<Domain> {
  return tx.one<Domain>(sql`
    update domain set renewal_mode = ${change.mode}, renewal_max_price = ${change.maxPrice}, renewal_try_at = null
    where id = ${id} and reseller_id = ${resellerId} returning ${domainTable.columns}`);
}

/**
 * In a new term attempts start again at its own date, which may have come already. A mode for one term ends with the renewal that it
 * caused.
 */
export async function beginTerm(tx: Tx, id: string, byMode: boolean): Promise<void> {
  await tx.run(sql`
    update domain set renewal_try_at = null,
      renewal_mode = case when ${byMode} and renewal_mode = 'renew_once' then 'manual' else renewal_mode end
    where id = ${id}`);
}

/** Days before the end of a term from which it is tried. */
const leadDays = sql`coalesce((${rulesOfDomain} ->> 'renewal_lead_days')::int, ${lifePolicy.renewalLeadDays})`;
const mostLeadDays = sql`(select max(coalesce((rules ->> 'renewal_lead_days')::int, ${lifePolicy.renewalLeadDays}))
  from (select rules from tld union all select rules from tld_alternative where rules is not null) each)`;

/** For an active domain `d`: a background job may try now. */
export const isTryDue = (now: Date): Sql => sql`(d.renewal_try_at is null or d.renewal_try_at <= ${now})`;

/** The registry's last day to renew is of this term (`renewalDue`). */
export const hasEarlierDate = sql`(d.registry_renew_by < d.end_date and d.registry_renew_by > d.end_date - make_interval(days => ${lifePolicy.renewBeforeEndDays}))`;

const isFree = sql`not exists (select from operation o where o.domain_id = d.id and o.state not in ('done', 'refused', 'cancelled') and o.approval_until is null)`;

/** Domains of a registry whose renewal mode is due, the first to expire first. Found in an index that contains only such domains. */
export async function dueByMode(db: Reader, registryId: string, now: Date, limit: number): Promise<With<'end_date'>[]> {
  const byTerm = await db.many<With<'end_date'>>(sql`
    select ${domainTable.of('d')} from domain d join tld t on t.name = d.tld
    where d.registry_id = ${registryId} and d.state = 'live' and d.renewal_mode <> 'manual'
      and d.end_date <= ${now}::timestamptz + make_interval(days => ${mostLeadDays})
      and d.end_date <= case when d.renewal_mode = 'delete' then ${now}::timestamptz else ${now}::timestamptz + make_interval(days => ${leadDays}) end
      and ${isTryDue(now)} and ${isFree}
    order by d.end_date limit ${limit}`);
  if (byTerm.length === limit) return byTerm;
  // A query of its own, because each date has its own index.
  const earlier = await db.many<With<'end_date'>>(sql`
    select ${domainTable.of('d')} from domain d join tld t on t.name = d.tld
    where d.registry_id = ${registryId} and d.state = 'live' and d.renewal_mode in ('renew', 'renew_once') and ${hasEarlierDate}
      and d.registry_renew_by <= ${now}::timestamptz + make_interval(days => ${leadDays})
      and d.end_date > ${now}::timestamptz + make_interval(days => ${leadDays}) and ${isTryDue(now)} and ${isFree}
    order by d.registry_renew_by limit ${limit - byTerm.length}`);
  return [...byTerm, ...earlier];
}

/**
 * True for one process, so that no other process tries the same domain before then. The date is compared without an index on purpose:
 * thousands of domains can expire in the same second after an import, and a plan by that date would read all of them for each.
 */
export async function claimTry(tx: Tx, domain: With<'end_date'>, now: Date, nextAt: Date): Promise<boolean> {
  const claimed = await tx.run(sql`
    update domain d set renewal_try_at = ${nextAt}
    where d.id = ${domain.id} and d.state = 'live' and d.end_date is not distinct from ${domain.end_date} and d.renewal_mode = ${domain.renewal_mode} and ${isTryDue(now)}`);
  return claimed === 1;
}

export async function setNextTry(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.run(sql`update domain set renewal_try_at = ${at} where id = ${id}`);
}

/**
 * Marks a period in the transaction of the order: false if an automatic order for it is open or was executed. An order whose money was
 * refunded does not count, because the domain was deleted within the grace period of that renewal and restored.
 */
export async function markPeriod(tx: Tx, domain: With<'end_date'>, operationId: string, now: Date): Promise<boolean> {
  const marked = await tx.run(sql`
    insert into auto_renewal as a (domain_id, end_date, reseller_id, operation_id, at)
    values (${domain.id}, ${domain.end_date}, ${domain.reseller_id}, ${operationId}, ${now})
    on conflict (domain_id, end_date) do update set operation_id = excluded.operation_id, at = excluded.at
    where exists (select from operation o where o.id = a.operation_id and o.state in ('refused', 'cancelled'))
      or exists (select from ledger_transaction t where t.operation_id = a.operation_id and t.reseller_id = a.reseller_id and t.status = 'refunded')`);
  return marked === 1;
}

export async function readAccountMode(db: Reader, resellerId: string): Promise<RenewalMode> {
  const row = await db.one<{ renewal_mode: RenewalMode }>(
    sql`select renewal_mode from reseller where id = ${resellerId}`,
  );
  return row.renewal_mode;
}

export async function saveAccountMode(tx: Tx, resellerId: string, mode: RenewalMode): Promise<void> {
  await tx.run(sql`update reseller set renewal_mode = ${mode} where id = ${resellerId}`);
}

export async function saveCustomerMode(
  tx: Tx,
  resellerId: string,
  id: string,
  mode: RenewalMode | null,
): Promise<void> {
  await tx.run(sql`update customer set renewal_mode = ${mode} where id = ${id} and reseller_id = ${resellerId}`);
}
