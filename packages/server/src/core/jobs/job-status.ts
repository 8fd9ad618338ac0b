import { allTenants } from '@namehold/base';
import type { AppContext } from '../app-context.ts';
import { type JobRun, readJobRuns } from './job-run.sql.ts';

export const jobPolicy = {
  /** A process tells so often how its jobs stand. */
  reportEveryMs: 10_000,
  /** Not told of for so long: no process that knows the job lives. */
  unansweredMs: 120_000,
  /** So much later than it should have been done, or three times its own pace, a job stands still. */
  stillMs: 300_000,
  stillRounds: 3,
};

export interface JobStatus extends JobRun {
  /** By how much its last success is overdue; 0: it is not. */
  readonly lagMs: number;
  readonly isStill: boolean;
  /** A process that knows it lives. */
  readonly isReported: boolean;
  /** Its last run failed. */
  readonly isFailing: boolean;
}

/** Pure: a job that fails does not get done, however often it runs. */
export function jobStatusOf(run: JobRun, now: Date): JobStatus {
  const doneAt = Math.max(run.succeeded_at?.getTime() ?? 0, run.known_since.getTime());
  const isReported = now.getTime() - run.reported_at.getTime() <= jobPolicy.unansweredMs;
  // As of the report: what was done since is not told yet.
  const asOf = isReported ? run.reported_at : now;
  const lagMs = Math.max(0, asOf.getTime() - doneAt - run.every_ms);
  const patienceMs = Math.max(jobPolicy.stillMs, jobPolicy.stillRounds * run.every_ms);
  const isFailing = run.failed_at !== null && run.failed_at >= (run.succeeded_at ?? run.failed_at);
  return { ...run, lagMs, isReported, isStill: isReported && lagMs > patienceMs, isFailing };
}

export const jobStates = ['ok', 'failing', 'still', 'not_reported'] as const;

/** In a word. */
export function stateOf(job: JobStatus): (typeof jobStates)[number] {
  if (!job.isReported) return 'not_reported';
  if (job.isStill) return 'still';
  return job.isFailing ? 'failing' : 'ok';
}

export async function readJobStatuses(ctx: Pick<AppContext, 'db' | 'wall'>): Promise<JobStatus[]> {
  const now = ctx.wall.now();
  return (await readJobRuns(ctx.db.as(allTenants))).map((run) => jobStatusOf(run, now));
}
