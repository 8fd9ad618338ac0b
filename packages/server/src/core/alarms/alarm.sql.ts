import { type Reader, sql, type Tx } from '@namehold/postgres';

/** The same alarm as before: numbers in its text may change, words or the severity may not. */
const isTheSame = sql.raw(
  `alarm.cleared_at is null and alarm.severity = excluded.severity
    and regexp_replace(alarm.sentence, '[0-9]+', '', 'g') = regexp_replace(excluded.sentence, '[0-9]+', '', 'g')`,
);
/** An acknowledged alarm that has changed since: the acknowledgement does not cover it. */
const isAnother = sql.raw(`alarm.acknowledged_at is not null and not`);

/** True if it was not open before. */
export async function upsertAlarm(
  tx: Tx,
  alarm: { readonly key: string; readonly severity: string; readonly sentence: string; readonly facts: string },
  now: Date,
): Promise<boolean> {
  const { is_new } = await tx.one<{ is_new: boolean }>(sql`
    with before as (select 1 from alarm where key = ${alarm.key} and cleared_at is null)
    insert into alarm (key, severity, sentence, facts, raised_at, seen_at)
    values (${alarm.key}, ${alarm.severity}, ${alarm.sentence}, ${alarm.facts}, ${now}, ${now})
    on conflict (key) do update set severity = excluded.severity, sentence = excluded.sentence, facts = excluded.facts, seen_at = excluded.seen_at,
      raised_at = case when alarm.cleared_at is null then alarm.raised_at else excluded.raised_at end,
      told_at = case when alarm.cleared_at is null and not (${isAnother} (${isTheSame})) then alarm.told_at end,
      tell_tries = case when alarm.cleared_at is null and not (${isAnother} (${isTheSame})) then alarm.tell_tries else 0 end,
      acknowledged_at = case when ${isTheSame} then alarm.acknowledged_at end, acknowledged_by = case when ${isTheSame} then alarm.acknowledged_by end,
      acknowledged_why = case when ${isTheSame} then alarm.acknowledged_why end,
      acknowledged_until = case when ${isTheSame} then alarm.acknowledged_until end, cleared_at = null
    returning not exists (select from before) as is_new`);
  return is_new;
}

export async function clearAlarms(tx: Tx, keys: readonly string[], now: Date): Promise<void> {
  await tx.run(sql`update alarm set cleared_at = ${now} where key = any (${keys}::text[]) and cleared_at is null`);
}

/** An alarm that was not seen since then. */
export async function clearQuiet(tx: Tx, key: string, since: Date, now: Date): Promise<void> {
  await tx.run(
    sql`update alarm set cleared_at = ${now} where key = ${key} and seen_at <= ${since} and cleared_at is null`,
  );
}

export interface Acknowledged {
  readonly acknowledged_at: Date | null;
  readonly acknowledged_by: string | null;
  readonly acknowledged_why: string | null;
  /** When it returns. */
  readonly acknowledged_until: Date | null;
}

export const acknowledgedColumns = sql.raw('acknowledged_at, acknowledged_by, acknowledged_why, acknowledged_until');

export interface OpenAlarm extends Acknowledged {
  readonly key: string;
  readonly severity: string;
  readonly sentence: string;
  readonly facts: Record<string, unknown>;
  readonly raised_at: Date;
  readonly seen_at: Date;
}

export type AnyAlarm = OpenAlarm & { readonly cleared_at: Date | null; readonly told_at: Date | null };

export async function listOpenAlarms(db: Reader): Promise<OpenAlarm[]> {
  return db.many<OpenAlarm>(sql`
    select key, severity, sentence, facts, raised_at, seen_at, ${acknowledgedColumns} from alarm where cleared_at is null order by raised_at`);
}

/** Undefined if no such alarm is open. */
export async function lockOpenAlarm(tx: Tx, key: string): Promise<OpenAlarm | undefined> {
  return tx.maybe<OpenAlarm>(sql`
    select key, severity, sentence, facts, raised_at, seen_at, ${acknowledgedColumns} from alarm where key = ${key} and cleared_at is null for update`);
}

/** When it returns, its notification is sent again. */
export async function setAcknowledged(
  tx: Tx,
  key: string,
  by: { readonly at: Date; readonly who: string; readonly why: string; readonly until: Date } | null,
): Promise<AnyAlarm> {
  return tx.one<AnyAlarm>(sql`
    update alarm set acknowledged_at = ${by?.at ?? null}, acknowledged_by = ${by?.who ?? null}, acknowledged_why = ${by?.why ?? null},
      acknowledged_until = ${by?.until ?? null}, tell_tries = 0
    where key = ${key} returning key, severity, sentence, facts, raised_at, seen_at, cleared_at, told_at, ${acknowledgedColumns}`);
}
