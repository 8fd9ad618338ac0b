import { type Reader, sql } from '@namehold/postgres';
import type { Slice } from '../ledger/verify.sql.ts';
import type { FoundRow } from './difference.ts';

export async function nextDomains(db: Reader, after: string, size: number): Promise<string | undefined> {
  const row = await db.one<{ last: string | null }>(sql`
    select max(id) as last from (select id from domain where id > ${after} order by id limit ${size}) s`);
  return row.last ?? undefined;
}

/** Each domain with its own row and with the rows of its domain name under earlier owners. */
const rowsOf = ({ after, upTo }: Slice) => sql`
  select id as domain_id, id as paid_for from domain where id > ${after} and id <= ${upTo}
  union all
  select id, unnest(former_ids) from domain where id > ${after} and id <= ${upTo} and former_ids <> '{}'`;

/**
 * Each year of a term is paid once: purchases less refunds reach from the beginning to the end of the term. An adopted domain begins at
 * the end of what was paid elsewhere. Privacy lasts as long as the last purchase that was not refunded, as its operation says while that
 * is kept. Payments of earlier owners of the domain count (`former_ids`). A restore includes the years that were not paid in time
 * (`given_years`). Leap days and rounding registries move a date by days, not by years.
 */
export async function domainsAgainstCaptures(db: Reader, { after, upTo }: Slice): Promise<FoundRow[]> {
  return db.many<FoundRow>(sql`
    with row_of as (${rowsOf({ after, upTo })}), paid as (
      select r.domain_id,
        count(*) filter (where t.action in ('create', 'transfer') and t.status = 'completed') as registrations,
        max(t.id) filter (where t.action in ('create', 'transfer')) as transaction_id,
        max(t.operation_id) filter (where t.action in ('create', 'transfer')) as operation_id,
        max(t.reseller_id) filter (where t.reseller_id <> x.reseller_id) as other_payer,
        bool_or(t.type = 'privacy_protect' or o.request ->> 'privacy' = 'true') as privacy,
        max(b.until) filter (where coalesce(t.returned, t.refunded) = 0) as privacy_bought_until,
        bool_and(b.until is not null and coalesce(t.returned, t.refunded) = 0) filter (where t.type = 'privacy_protect' or o.request ->> 'privacy' = 'true') as privacy_is_told,
        coalesce(sum(case
          when t.status = 'refunded' or t.action not in ('create', 'renew', 'restore', 'transfer') then 0
          when t.action = 'restore' then case when o.request ->> 'with_renewal' = 'true' then 1 else 0 end + coalesce((o.request ->> 'given_years')::int, 0)
          else t.years - round(t.years::numeric * coalesce(t.returned, t.refunded) / greatest(t.captured, 1)) end), 0)::int as paid_years
      from row_of r join ledger_transaction t on t.domain_id = r.paid_for join domain x on x.id = t.domain_id left join operation o on o.id = t.operation_id
        left join lateral (select case when o.state <> 'done' then null when o.kind = 'buy_privacy' then o.outcome ->> 'privacy_until'
          when o.request ->> 'privacy' = 'true' then o.outcome ->> 'expires_at' end::timestamptz as until) b on true
      where t.id = t.purchase_id and t.type <> 'registry' and t.status in ('completed', 'refunded')
      group by r.domain_id
    ), held as (
      select d.id, d.name, d.state, d.removed_reason, d.registry_id, d.end_date, d.privacy_until, d.adopted_until,
        coalesce(p.registrations, 0) as registrations, coalesce(p.paid_years, 0) as paid_years, coalesce(p.privacy, false) as privacy,
        p.privacy_bought_until, coalesce(p.privacy_is_told, false) as privacy_is_told, d.registry_created_at,
        p.transaction_id, p.operation_id, p.other_payer, d.reseller_id, c.reseller_id as customer_reseller_id, coalesce(d.adopted_until, d.registry_created_at) as begins, exists (select from waiting_order w where w.domain_id = d.id) as is_waited_for,
        exists (select from operation o where o.domain_id = d.id and o.state not in ('done', 'refused', 'cancelled') and o.approval_until is null) as is_busy
      from domain d left join paid p on p.domain_id = d.id left join customer c on c.id = d.customer_id where d.id > ${after} and d.id <= ${upTo}
    ), judged as (
      select h.id, h.name, h.state, h.registry_id, h.end_date, h.privacy_until, h.privacy_bought_until, h.registrations, h.paid_years, h.begins, h.transaction_id, h.operation_id, h.reseller_id, h.other_payer,
        h.customer_reseller_id, case
          when state = 'pending' and not is_busy then 'pending_without_operation' when state = 'unpaid' and not is_waited_for then 'unpaid_without_order'
          when state = 'removed' and removed_reason in ('refused', 'cancelled') and registrations > 0 then 'paid_and_refused'
          when state in ('pending', 'removed', 'unpaid') then null
          when other_payer is not null then 'paid_by_another'
          when customer_reseller_id is distinct from reseller_id then 'customer_of_another'
          when registrations = 0 and adopted_until is null then 'live_unpaid'
          when registrations > 1 then 'registered_twice'
          when is_busy or begins is null or end_date is null then null
          when adopted_until <= registry_created_at and paid_years = 0 then 'adopted_unpaid'
          when extract(epoch from end_date - (begins + make_interval(years => paid_years))) > 5 * 86400 then 'years_unpaid'
          when extract(epoch from end_date - (begins + make_interval(years => paid_years))) < -5 * 86400 then 'years_overpaid'
          when privacy_until is not null and not privacy and adopted_until is null then 'privacy_unpaid'
          when state <> 'live' then null
          when privacy_is_told and privacy_until > privacy_bought_until + interval '5 days' then 'privacy_too_long'
          when privacy_bought_until is not null
            and coalesce(privacy_until, '-infinity') < privacy_bought_until - interval '5 days' then 'privacy_too_short'
        end as rule
      from held h
    )
    select rule, 'domain ' || j.id as subject, case rule
        when 'pending_without_operation' then 'is pending, and no operation will end it'
        when 'unpaid_without_order' then 'is unpaid, and no order waits for it'
        when 'paid_and_refused' then 'was refused, and its registration or transfer is paid'
        when 'live_unpaid' then 'is ' || state || ', and no registration of it was paid'
        when 'registered_twice' then registrations || ' registrations of it were paid'
        when 'paid_by_another' then 'belongs to reseller ' || j.reseller_id || ', and reseller ' || other_payer || ' paid for it'
        when 'customer_of_another' then 'belongs to reseller ' || j.reseller_id || ', and its customer to reseller ' || coalesce(customer_reseller_id::text, 'none')
        when 'privacy_unpaid' then 'has privacy protection until ' || to_char(privacy_until at time zone 'UTC', 'YYYY-MM-DD') || ', and it was not bought'
        when 'adopted_unpaid' then 'was adopted from the registry, ends on ' || to_char(end_date at time zone 'UTC', 'YYYY-MM-DD') || ', and no account was charged for it'
        when 'privacy_too_long' then 'has privacy protection until ' || to_char(privacy_until at time zone 'UTC', 'YYYY-MM-DD') || ', bought until '
          || to_char(privacy_bought_until at time zone 'UTC', 'YYYY-MM-DD')
        when 'privacy_too_short' then 'has privacy protection until ' || coalesce(to_char(privacy_until at time zone 'UTC', 'YYYY-MM-DD'), 'never')
          || ', bought until ' || to_char(privacy_bought_until at time zone 'UTC', 'YYYY-MM-DD')
        else paid_years || ' years paid from ' || to_char(begins at time zone 'UTC', 'YYYY-MM-DD') || ', and it ends on '
          || to_char(end_date at time zone 'UTC', 'YYYY-MM-DD') end as detail,
      j.id as domain_id, j.name, j.registry_id, j.operation_id, j.transaction_id, t.amount, t.currency
    from judged j left join ledger_transaction t on t.id = j.transaction_id
    where rule is not null order by j.id`);
}
