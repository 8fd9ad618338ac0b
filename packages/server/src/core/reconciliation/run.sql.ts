import { type Autocommit, type Reader, sql } from '@namehold/postgres';
import type { ReconciliationSource } from './difference.ts';
import type { ReconciliationProgress } from './progress.ts';

export async function countReconciled(db: Reader): Promise<{ operations: number; commands: number; domains: number }> {
  const row = await db.one<{ operations: string; commands: string; domains: string }>(sql`
    select (select count(*) from operation) as operations, (select count(*) from registry_command) as commands,
           (select count(*) from domain where state not in ('removed', 'unpaid')) as domains`);
  return { operations: Number(row.operations), commands: Number(row.commands), domains: Number(row.domains) };
}

export interface ReconciliationRun {
  readonly id: string;
  readonly started_at: Date;
  readonly finished_at: Date | null;
  readonly counts: Readonly<Record<string, number>>;
  readonly skipped: readonly { readonly registry_id: string; readonly why: string }[];
  readonly differences: string;
}

/** A run that is not finished. */
export interface OpenRun {
  readonly id: string;
  readonly started_at: Date;
  /** Its position; null: its first slice is not done. */
  readonly place: ReconciliationProgress | null;
  readonly tries: number;
}

/** Older runs are not continued. */
const takenUpDays = 7;

const until = (leaseMs: number) => sql`now() + ${leaseMs}::float8 * interval '1 millisecond'`;

export async function beginRun(
  alone: Autocommit,
  worker: string,
  sources: readonly ReconciliationSource[],
  leaseMs: number,
  now: Date,
): Promise<OpenRun> {
  return alone.one<OpenRun>(sql`
    insert into books_run (started_at, books, worker, leased_until, tries) values (${now}, ${sources}::text[], ${worker}, ${until(leaseMs)}, 1)
    returning id, started_at, place, tries`);
}

const isLeft = sql`finished_at is null and leased_until < now() and started_at > now() - ${takenUpDays} * interval '1 day'`;

/** The last run over the same sources, if no process works on it any more. */
export async function takeUpRun(
  alone: Autocommit,
  worker: string,
  sources: readonly ReconciliationSource[],
  leaseMs: number,
): Promise<OpenRun | undefined> {
  return alone.maybe<OpenRun>(sql`
    update books_run set worker = ${worker}, leased_until = ${until(leaseMs)}, tries = tries + 1
    where id = (select max(id) from books_run where books = ${sources}::text[]) and ${isLeft}
    returning id, started_at, place, tries`);
}

/** Whether the last run over these sources was left so long ago that its process will probably not return. */
export async function isRunLeft(
  db: Reader,
  sources: readonly ReconciliationSource[],
  waitSeconds: number,
): Promise<boolean> {
  const row = await db.maybe<{ id: string }>(sql`
    select id from books_run where id = (select max(id) from books_run where books = ${sources}::text[]) and ${isLeft}
      and leased_until < now() - ${waitSeconds} * interval '1 second'`);
  return row !== undefined;
}

/** False: another process has it. */
export async function noteReached(
  alone: Autocommit,
  id: string,
  worker: string,
  place: ReconciliationProgress,
  leaseMs: number,
): Promise<boolean> {
  const noted = await alone.run(sql`
    update books_run set place = ${JSON.stringify(place)}, leased_until = ${until(leaseMs)} where id = ${id} and worker = ${worker}`);
  return noted === 1;
}

export async function keepRun(alone: Autocommit, id: string, worker: string, leaseMs: number): Promise<void> {
  await alone.run(
    sql`update books_run set leased_until = ${until(leaseMs)} where id = ${id} and worker = ${worker} and finished_at is null`,
  );
}

/** After a failure: the next process may continue at once. */
export async function leaveRun(alone: Autocommit, id: string, worker: string): Promise<void> {
  await alone.run(sql`update books_run set leased_until = now() where id = ${id} and worker = ${worker}`);
}

export async function endRun(
  alone: Autocommit,
  id: string,
  now: Date,
  report: { readonly counts: object; readonly skipped: readonly object[]; readonly found: number },
): Promise<void> {
  await alone.run(sql`
    update books_run set finished_at = ${now}, counts = ${JSON.stringify(report.counts)}, skipped = ${JSON.stringify(report.skipped)},
      differences = ${report.found}, place = null, leased_until = null where id = ${id}`);
}

/** The last finished run. */
export async function lastRun(db: Reader): Promise<ReconciliationRun | undefined> {
  return db.maybe<ReconciliationRun>(sql`
    select id, started_at, finished_at, counts, skipped, differences from books_run where finished_at is not null order by id desc limit 1`);
}

/** Start of the run that is in progress. */
export async function openRun(db: Reader): Promise<Date | undefined> {
  const row = await db.maybe<{ started_at: Date }>(sql`
    select started_at from books_run where finished_at is null and leased_until > now() order by id desc limit 1`);
  return row?.started_at;
}

/** Clears alarms below these keys that this run did not see again. */
export async function clearUnseen(alone: Autocommit, keys: readonly string[], since: Date, now: Date): Promise<void> {
  await alone.run(sql`
    update alarm set cleared_at = ${now}
    where cleared_at is null and seen_at < ${since} and exists (select from unnest(${keys}::text[]) as k (begins) where starts_with(key, begins))`);
}
