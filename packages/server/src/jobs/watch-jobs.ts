import { clearAlarm, raiseAlarm } from '../core/alarms/alarm.ts';
import { readJobStatuses } from '../core/jobs/job-status.ts';
import type { Job } from './scheduler.ts';

const keyOf = ({ name }: { readonly name: string }) => `job:${name}`;

/** The other jobs report a job that is stalled or fails repeatedly. */
export const watchJobs: Job = {
  name: 'watch-jobs',
  everyMs: 60_000,
  async run(ctx) {
    const statuses = await readJobStatuses(ctx);
    const healthy = statuses.filter(({ isStill }) => !isStill);
    await clearAlarm(ctx, ...healthy.map(keyOf));
    for (const job of statuses.filter(({ isStill }) => isStill)) {
      const since = job.succeeded_at?.toISOString() ?? 'the start';
      const why = job.isFailing ? `: ${job.last_error}` : job.took_ms === null ? ': its last run has not ended' : '';
      await raiseAlarm(ctx, {
        key: keyOf(job),
        severity: 'critical',
        sentence: `background job ${job.name} has not succeeded since ${since}${why}`,
        facts: { job: job.name },
      });
    }
  },
};
