import { type Autocommit, type Reader, sql } from '@namehold/postgres';

export async function owedProtection(
  db: Reader,
  now: Date,
  limit: number,
): Promise<{ id: string; reseller_id: string }[]> {
  return db.many(sql`
    select d.id, d.reseller_id from domain d
    where d.protect_at <= ${now} and d.state = 'live'
      and not exists (select from operation o where o.domain_id = d.id and o.state not in ('done', 'refused', 'cancelled') and o.approval_until is null)
    order by d.protect_at limit ${limit}`);
}

export async function postponeProtection(alone: Autocommit, id: string, until: Date): Promise<void> {
  await alone.run(sql`update domain set protect_at = ${until} where id = ${id} and protect_at is not null`);
}
