import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { type JobRun, readJobRuns } from './job-run.sql.ts';

export const jobPolicy = {
  /** Interval at which a process reports the status of its jobs. */
  reportEveryMs: 10_000,
  /** Without a report for this long, no live process knows the job. */
  unansweredMs: 120_000,
  /** A job is stalled if it is late by this much, or by three times its interval. */
  stillMs: 300_000,
  stillRounds: 3,
};

export interface JobStatus extends JobRun {
  /** By how much its last success is overdue; 0: it is not. */
  readonly lagMs: number;
  readonly isStill: boolean;
  /** A live process knows it. */
  readonly isReported: boolean;
  /** Its last run failed. */
  readonly isFailing: boolean;
}

/** Pure: a failing job does not count as done, however often it runs. */
export function jobStatusOf(run: JobRun, now: Date): JobStatus {
  const doneAt = Math.max(run.succeeded_at?.getTime() ?? 0, run.known_since.getTime());
  const isReported = now.getTime() - run.reported_at.getTime() <= jobPolicy.unansweredMs;
  // As of the report: later runs are not included.
  const asOf = isReported ? run.reported_at : now;
  const lagMs = Math.max(0, asOf.getTime() - doneAt - run.every_ms);
  const toleranceMs = Math.max(jobPolicy.stillMs, jobPolicy.stillRounds * run.every_ms);
  const isFailing = run.failed_at !== null && run.failed_at >= (run.succeeded_at ?? run.failed_at);
  return { ...run, lagMs, isReported, isStill: isReported && lagMs > toleranceMs, isFailing };
}

export const jobStates = ['ok', 'failing', 'still', 'not_reported'] as const;

/** The status as one word. */
export function stateOf(job: JobStatus): (typeof jobStates)[number] {
  if (!job.isReported) return 'not_reported';
  if (job.isStill) return 'still';
  return job.isFailing ? 'failing' : 'ok';
}

export async function readJobStatuses(ctx: Pick<AppContext, 'db' | 'wall'>): Promise<JobStatus[]> {
  const now = ctx.wall.now();
  return (await readJobRuns(ctx.db.as(allTenants))).map((run) => jobStatusOf(run, now));
}
