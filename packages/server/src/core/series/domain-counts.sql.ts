import { type Reader, type Sql, sql, type Tx } from '@namehold/postgres';

interface RolledUp {
  readonly resellers: number;
}

/** More than any account has in the minute until the next roll-up: without a limit a plan could scan its whole history. */
const mostSince = 100_000;

/** Rolls up uncounted events: of a limited number of resellers, a limited number of each. Returns how many resellers had any. */
export async function rollUpDomains(tx: Tx, resellers: number, eventsOfEach: number): Promise<number> {
  const { is_ours } = await tx.one<{ is_ours: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtext('name_month_fold')) as is_ours`,
  );
  if (!is_ours) return 0;
  const rolledUp = await tx.one<RolledUp>(sql`
    with due as (
      select c.reseller_id, coalesce(m.number, 0) as number, least(c.last_number, coalesce(m.number, 0) + ${eventsOfEach}) as upto
      from event_counter c left join name_month_mark m on m.reseller_id = c.reseller_id
      where c.last_number > coalesce(m.number, 0) order by c.reseller_id limit ${resellers}
    ), counted as (
      insert into name_month as n (reseller_id, month, what, names)
      select due.reseller_id, date_trunc('month', e.at at time zone 'UTC')::date, name_month_what(e.type), count(*)
      from due cross join lateral (
        select o.at, o.type from event o where o.reseller_id = due.reseller_id and o.number > due.number and o.number <= due.upto
        order by o.number limit ${eventsOfEach}
      ) e
      where name_month_what(e.type) is not null group by 1, 2, 3
      on conflict (reseller_id, month, what) do update set names = n.names + excluded.names
    ), marked as (
      insert into name_month_mark (reseller_id, number) select reseller_id, upto from due
      on conflict (reseller_id) do update set number = excluded.number
    )
    select count(*)::integer as resellers from due`);
  return rolledUp.resellers;
}

export type NameCount = {
  readonly month: string;
  readonly what: 'registered' | 'arrived' | 'moved_in' | 'renewed' | 'lost' | 'moved';
  readonly names: string;
};

/** The roll-up and the events since. Of one reseller, or of all. */
export function nameCounts(db: Reader, resellerId: string | undefined, from: Date): Promise<NameCount[]> {
  const of = (table: Sql) => (resellerId === undefined ? sql`true` : sql`${table}.reseller_id = ${resellerId}`);
  const since = from.toISOString().slice(0, 10);
  return db.many<NameCount>(sql`
    select to_char(month, 'YYYY-MM') as month, what, sum(names) as names from (
      select n.month, n.what, n.names from name_month n where n.month >= ${since}::date and ${of(sql`n`)}
      union all
      select date_trunc('month', e.at at time zone 'UTC')::date, name_month_what(e.type), 1
      from event_counter c left join name_month_mark m on m.reseller_id = c.reseller_id
      cross join lateral (
        select o.at, o.type from event o where o.reseller_id = c.reseller_id and o.number > coalesce(m.number, 0)
        order by o.number limit ${mostSince}
      ) e
      where c.last_number > coalesce(m.number, 0) and ${of(sql`c`)} and e.at >= ${from} and name_month_what(e.type) is not null
      union all
      select date_trunc('month', d.removed_at at time zone 'UTC')::date, case d.removed_reason when 'moved' then 'moved' else 'lost' end, 1
      from domain d
      where d.state = 'removed' and d.removed_reason not in ('refused', 'cancelled') and d.removed_at >= ${from} and ${of(sql`d`)}) every
    group by month, what`);
}
