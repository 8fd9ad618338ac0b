import { type Autocommit, type Reader, sql } from '@namehold/postgres';

export interface UnreportedAlarm {
  readonly key: string;
  readonly severity: string;
  readonly sentence: string;
  readonly facts: Record<string, unknown>;
  readonly raised_at: Date;
}

/**
 * Takes one open alarm that was not sent yet, or whose acknowledgement has ended. It counts as sent from here on, in all processes: a
 * program that hangs or fails must not run again and again. `requeueAlarm` returns it for another try.
 */
export async function takeUnreportedAlarm(alone: Autocommit, tries: number): Promise<UnreportedAlarm | undefined> {
  return alone.maybe<UnreportedAlarm>(sql`
    update alarm set told_at = now(), tell_tries = tell_tries + 1
    where key = (
      select key from alarm
      where cleared_at is null and tell_tries < ${tries} and coalesce(acknowledged_until <= now(), true)
        and (told_at is null or told_at < acknowledged_until)
      order by raised_at limit 1 for update skip locked)
    returning key, severity, sentence, facts, raised_at`);
}

/** The program failed: the next run tries again, up to the limit. */
export async function requeueAlarm(alone: Autocommit, key: string): Promise<void> {
  await alone.run(sql`update alarm set told_at = null where key = ${key} and cleared_at is null`);
}

/** `book`: of a reconciliation difference, whose keys begin with `books:<book>:`. */
export async function countOpenAlarms(db: Reader): Promise<{ severity: string; book: string | null; n: number }[]> {
  const rows = await db.many<{ severity: string; book: string | null; n: string }>(sql`
    select severity, case when starts_with(key, 'books:') then split_part(key, ':', 2) end as book, count(*) as n
    from alarm where cleared_at is null group by 1, 2`);
  return rows.map((row) => ({ ...row, n: Number(row.n) }));
}
