import { type Reader, sql, type Tx } from '@namehold/base';

/** True where it was not open before. */
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
      told_at = case when alarm.cleared_at is null then alarm.told_at end,
      tell_tries = case when alarm.cleared_at is null then alarm.tell_tries else 0 end, cleared_at = null
    returning not exists (select from before) as is_new`);
  return is_new;
}

export async function clearAlarms(tx: Tx, keys: readonly string[], now: Date): Promise<void> {
  await tx.run(sql`update alarm set cleared_at = ${now} where key = any (${keys}::text[]) and cleared_at is null`);
}

/** One that was not seen since then. */
export async function clearQuiet(tx: Tx, key: string, since: Date, now: Date): Promise<void> {
  await tx.run(
    sql`update alarm set cleared_at = ${now} where key = ${key} and seen_at <= ${since} and cleared_at is null`,
  );
}

export interface OpenAlarm {
  readonly key: string;
  readonly severity: string;
  readonly sentence: string;
  readonly facts: Record<string, unknown>;
  readonly raised_at: Date;
  readonly seen_at: Date;
}

export async function listOpenAlarms(db: Reader): Promise<OpenAlarm[]> {
  return db.many<OpenAlarm>(sql`
    select key, severity, sentence, facts, raised_at, seen_at from alarm where cleared_at is null order by raised_at`);
}
