import { type Reader, sql } from '@namehold/postgres';
import type { Operation } from '../model/operation.ts';

/** The operator's overview of operations; ages in seconds of wall time. */
interface OperationStatus {
  /** The age of the oldest unfinished order that has money on hold. */
  readonly oldest_hold_seconds: number;
  readonly oldest_unknown_seconds: number;
  /** How long the most overdue operation has been waiting to be run. */
  readonly queue_age_seconds: number;
  readonly open_alarms: number;
  readonly open_poll_messages: number;
}

export async function readOperationStatus(db: Reader, now: Date): Promise<OperationStatus> {
  const row = await db.one<Record<keyof OperationStatus, string | null>>(sql`
    select
      extract(epoch from ${now}::timestamptz - (select min(created_at) from operation
        where state not in ('done', 'refused', 'cancelled') and transaction_id is not null)) as oldest_hold_seconds,
      extract(epoch from ${now}::timestamptz - (select min(coalesce(silent_since, created_at)) from operation where state = 'unknown')) as oldest_unknown_seconds,
      extract(epoch from now() - (select min(due_at) from operation
        where state not in ('done', 'refused', 'cancelled', 'action_required') and (leased_until is null or leased_until <= now()))) as queue_age_seconds,
      (select count(*) from alarm where cleared_at is null) as open_alarms,
      (select count(*) from poll_message where processed_at is null) as open_poll_messages`);
  const read = (value: string | null) => Math.max(0, Number(value ?? 0));
  return {
    oldest_hold_seconds: read(row.oldest_hold_seconds),
    oldest_unknown_seconds: read(row.oldest_unknown_seconds),
    queue_age_seconds: read(row.queue_age_seconds),
    open_alarms: read(row.open_alarms),
    open_poll_messages: read(row.open_poll_messages),
  };
}

/** Includes states without operations, as zero. */
export async function countOpenOperations(db: Reader): Promise<{ state: string; kind: string; n: number }[]> {
  const rows = await db.many<{ state: string; kind: string; n: string }>(sql`
    select case when approval_until is null then state else 'waiting_approval' end as state, kind, count(*) as n from operation
    where state not in ('done', 'refused', 'cancelled') group by 1, 2`);
  return rows.map((row) => ({ ...row, n: Number(row.n) }));
}

/** Unfinished orders for which no registry has promised a later answer. */
export async function oldestUnsettled(db: Reader): Promise<{ id: string; state: string; since: Date } | undefined> {
  return db.maybe(sql`
    select id, state, coalesce(silent_since, created_at) as since from operation where state in ('intended', 'sent', 'unknown')
    order by coalesce(silent_since, created_at) limit 1`);
}

/** Operations that the operator must decide, oldest first. Approvals are left to the resellers. */
export async function operationsForAttention(
  db: Reader,
  limit: number,
): Promise<Pick<Operation, 'id' | 'kind' | 'registry_id' | 'attention'>[]> {
  return db.many(sql`
    select id, kind, registry_id, attention from operation where state = 'action_required' and approval_until is null order by id limit ${limit}`);
}

export interface RegistryStatus {
  readonly id: string;
  readonly balance: string | null;
  readonly balance_currency: string | null;
  readonly certificate_expires_at: Date | null;
  readonly password_expires_at: Date | null;
  readonly sessions: number;
  readonly waits_for_money: boolean;
}

export async function readRegistryStatus(db: Reader, now: Date): Promise<RegistryStatus[]> {
  const rows = await db.many<Omit<RegistryStatus, 'sessions'> & { sessions: string }>(sql`
    select r.id, r.balance, r.balance_currency, r.certificate_expires_at, r.password_expires_at,
      (select count(*) from registry_slot s where s.registry_id = r.id and s.leased_until > now()) as sessions,
      exists (select from operation o where o.registry_id = r.id and o.state = 'waiting_registry' and o.result_code = 2104)
        or coalesce(r.balance <= r.balance_threshold, false)
        or exists (select from poll_message m where m.registry_id = r.id and m.kind = 'low_balance' and m.received_at > ${now}::timestamptz - interval '1 day'
          -- Unless the registry has reported more money since then.
          and not exists (select from registry_balance low join registry_balance b on b.registry_id = low.registry_id and b.currency = low.currency and b.at > low.at
            where low.registry_id = r.id and low.at = (select max(at) from registry_balance l where l.registry_id = r.id and l.at <= m.processed_at)
              and b.balance > low.balance))
        as waits_for_money
    from registry r where r.is_active order by r.id`);
  return rows.map((row) => ({ ...row, sessions: Number(row.sessions) }));
}
