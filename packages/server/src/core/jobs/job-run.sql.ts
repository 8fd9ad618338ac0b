import { type Reader, sql, type Tx } from '@namehold/postgres';

/** The status of one job. */
export interface JobRun {
  readonly name: string;
  readonly every_ms: number;
  readonly reported_at: Date;
  /** Since when it could have run. */
  readonly known_since: Date;
  readonly started_at: Date | null;
  readonly took_ms: number | null;
  readonly succeeded_at: Date | null;
  readonly failed_at: Date | null;
  readonly last_error: string | null;
  readonly next_at: Date | null;
}

/** All jobs of a process in one statement. Later runs of another process stay. */
export async function saveJobRuns(tx: Tx, runs: readonly JobRun[]): Promise<void> {
  await tx.run(sql`
    insert into job_run as j (name, every_ms, reported_at, known_since, started_at, took_ms, succeeded_at, failed_at, last_error, next_at)
    select name, every_ms, reported_at, known_since, started_at, took_ms, succeeded_at, failed_at, last_error, next_at
    from jsonb_to_recordset(${JSON.stringify(runs)}::jsonb) as r (name text, every_ms integer, reported_at timestamptz, known_since timestamptz,
      started_at timestamptz, took_ms integer, succeeded_at timestamptz, failed_at timestamptz, last_error text, next_at timestamptz)
    on conflict (name) do update set
      every_ms = excluded.every_ms,
      -- After a pause of all processes the count starts again.
      known_since = case when j.reported_at < excluded.known_since then excluded.known_since else j.known_since end,
      reported_at = greatest(j.reported_at, excluded.reported_at),
      took_ms = case when excluded.started_at >= coalesce(j.started_at, '-infinity') then excluded.took_ms else j.took_ms end,
      next_at = case when excluded.started_at >= coalesce(j.started_at, '-infinity') then excluded.next_at else coalesce(j.next_at, excluded.next_at) end,
      started_at = greatest(j.started_at, excluded.started_at),
      succeeded_at = greatest(j.succeeded_at, excluded.succeeded_at),
      last_error = case when excluded.failed_at >= coalesce(j.failed_at, '-infinity') then excluded.last_error else j.last_error end,
      failed_at = greatest(j.failed_at, excluded.failed_at)`);
}

/** Without jobs that only another release knew: no process reported them in the last day in which any job was reported. */
export async function readJobRuns(db: Reader): Promise<JobRun[]> {
  return db.many<JobRun>(sql`
    select name, every_ms, reported_at, known_since, started_at, took_ms, succeeded_at, failed_at, last_error, next_at
    from job_run where reported_at > (select max(reported_at) from job_run) - interval '1 day' order by name`);
}
