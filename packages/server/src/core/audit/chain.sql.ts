import { type Reader, sql } from '@namehold/postgres';

/** The head of one reseller's chain. A copy outside of the database proves the content of the log. */
export interface AuditHead {
  readonly reseller_id: string;
  readonly number: string;
  readonly hash: string;
}

export interface AuditBreak {
  readonly reseller_id: string;
  readonly number: string | null;
  readonly audit_id: string | null;
  readonly problem: 'changed' | 'removed' | 'inserted' | 'link_missing' | 'head_differs' | 'not_as_kept';
}

export async function readHeads(db: Reader, after: string, limit: number): Promise<AuditHead[]> {
  return db.many<AuditHead>(sql`
    select reseller_id, number, encode(hash, 'hex') as hash from audit_head where reseller_id > ${after} order by reseller_id limit ${limit}`);
}

export async function countHeads(db: Reader): Promise<number> {
  return (await db.one<{ n: number }>(sql`select count(*)::integer as n from audit_head`)).n;
}

/** Checks every link with its row and the link before it; every row has a link; every chain ends at its head. */
export async function findBreaks(db: Reader, limit: number): Promise<AuditBreak[]> {
  return db.many<AuditBreak>(sql`
    with link as (
      select l.reseller_id, l.number, l.audit_id, l.hash, coalesce(lag(l.number) over chain, h.cut_number, 0) as before_number,
        coalesce(lag(l.hash) over chain, h.cut_hash, '') as before_hash, lead(l.number) over chain is null as is_last,
        h.number as head_number, h.hash as head_hash
      from audit_link l left join audit_head h on h.reseller_id = l.reseller_id
      window chain as (partition by l.reseller_id order by l.number)
    ), judged as (
      select l.reseller_id, l.number, l.audit_id, case
          when l.number <> l.before_number + 1 then 'link_missing'
          when a.id is null then 'removed'
          when a.reseller_id <> l.reseller_id or l.hash <> audit_hash(l.before_hash, a) then 'changed'
          when l.is_last and (l.head_number is distinct from l.number or l.head_hash is distinct from l.hash) then 'head_differs'
        end as problem
      from link l left join audit a on a.id = l.audit_id
    )
    select reseller_id, number, audit_id, problem from judged where problem is not null
    union all
    select a.reseller_id, null, a.id, 'inserted' from audit a where not exists (select from audit_link l where l.audit_id = a.id)
    union all
    select h.reseller_id, h.number, null, 'head_differs' from audit_head h
    where h.number > h.cut_number and not exists (select from audit_link l where l.reseller_id = h.reseller_id)
    order by 1, 2, 3 limit ${limit}`);
}

/** Heads that were stored outside: the chain must still have the same link, or be purged beyond it. */
export async function findBrokenHeads(db: Reader, kept: readonly AuditHead[]): Promise<AuditBreak[]> {
  return db.many<AuditBreak>(sql`
    select k.reseller_id, k.number, l.audit_id, 'not_as_kept' as problem
    from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as k (reseller_id bigint, number bigint, hash text)
    left join audit_link l on l.reseller_id = k.reseller_id and l.number = k.number
    left join audit_head h on h.reseller_id = k.reseller_id
    where encode(coalesce(l.hash, case when h.cut_number = k.number then h.cut_hash end), 'hex') is distinct from k.hash
      and not coalesce(k.number < h.cut_number, false)
    order by 1, 2`);
}
