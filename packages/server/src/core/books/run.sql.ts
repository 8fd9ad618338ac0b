import { type Alone, type Reader, sql } from '@namehold/base';

export async function countBooks(db: Reader): Promise<{ operations: number; commands: number; domains: number }> {
  const row = await db.one<{ operations: string; commands: string; domains: string }>(sql`
    select (select count(*) from operation) as operations, (select count(*) from registry_command) as commands,
           (select count(*) from domain where state not in ('removed', 'unpaid')) as domains`);
  return { operations: Number(row.operations), commands: Number(row.commands), domains: Number(row.domains) };
}

export interface BooksRun {
  readonly id: string;
  readonly started_at: Date;
  readonly finished_at: Date | null;
  readonly counts: Readonly<Record<string, number>>;
  readonly skipped: readonly { readonly registry_id: string; readonly why: string }[];
  readonly differences: string;
}

export async function beginRun(alone: Alone, now: Date): Promise<string> {
  const { id } = await alone.one<{ id: string }>(sql`insert into books_run (started_at) values (${now}) returning id`);
  return id;
}

export async function endRun(
  alone: Alone,
  id: string,
  now: Date,
  report: { readonly counts: object; readonly skipped: readonly object[]; readonly found: number },
): Promise<void> {
  await alone.run(sql`
    update books_run set finished_at = ${now}, counts = ${JSON.stringify(report.counts)}, skipped = ${JSON.stringify(report.skipped)},
      differences = ${report.found} where id = ${id}`);
}

/** The last one that came to its end. */
export async function lastRun(db: Reader): Promise<BooksRun | undefined> {
  return db.maybe<BooksRun>(sql`
    select id, started_at, finished_at, counts, skipped, differences from books_run where finished_at is not null order by id desc limit 1`);
}

/** A run that has not ended after an hour was lost with its process. */
export async function openRun(db: Reader, now: Date): Promise<Date | undefined> {
  const row = await db.maybe<{ started_at: Date }>(sql`
    select started_at from books_run where finished_at is null and started_at > ${now}::timestamptz - interval '1 hour' order by id desc limit 1`);
  return row?.started_at;
}

/** Alarms below these keys that this run did not see again. */
export async function clearUnseen(alone: Alone, keys: readonly string[], since: Date, now: Date): Promise<void> {
  await alone.run(sql`
    update alarm set cleared_at = ${now}
    where cleared_at is null and seen_at < ${since} and exists (select from unnest(${keys}::text[]) as k (begins) where starts_with(key, begins))`);
}
