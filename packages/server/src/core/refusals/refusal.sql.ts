import { type Reader, sql, type Tx } from '@namehold/postgres';

/** `login`: a wrong key for this account; `scope`: a valid key without the scope; `throttle`: over its rate limit. */
export type RefusalKind = 'login' | 'scope' | 'throttle';

export interface RefusalCount {
  readonly resellerId: string;
  readonly kind: RefusalKind;
  readonly count: number;
}

/** One statement for all. Unknown ids are dropped by the join. */
export async function addRefusals(tx: Tx, minute: Date, counts: readonly RefusalCount[]): Promise<void> {
  await tx.run(sql`
    insert into refusal_count as c (reseller_id, kind, minute, count)
    select r.id, u.kind, ${minute}, u.count
    from unnest(${counts.map((c) => c.resellerId)}::bigint[], ${counts.map((c) => c.kind)}::text[], ${counts.map((c) => c.count)}::integer[])
      as u (reseller_id, kind, count) join reseller r on r.id = u.reseller_id
    order by r.id, u.kind
    on conflict (reseller_id, kind, minute) do update set count = c.count + excluded.count`);
}

export async function refusalsSince(db: Reader, since: Date): Promise<RefusalCount[]> {
  return db.many<RefusalCount>(sql`
    select reseller_id as "resellerId", kind, sum(count)::integer as count from refusal_count
    where minute > ${since} group by reseller_id, kind order by reseller_id, kind`);
}

/** Open alarms of this kind whose cause is gone. */
export async function clearedRefusals(db: Reader, stillLoud: readonly string[]): Promise<{ key: string }[]> {
  return db.many<{ key: string }>(sql`
    select key from alarm where key like 'refusals:%' and cleared_at is null and not (key = any (${stillLoud}::text[]))`);
}

export async function purgeRefusals(tx: Tx, before: Date): Promise<void> {
  await tx.run(sql`delete from refusal_count where minute < ${before}`);
}
