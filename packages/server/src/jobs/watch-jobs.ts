import { clearAlarm, raiseAlarm } from '../core/alarms/alarm.ts';
import { readJobStatuses } from '../core/jobs/job-status.ts';
import type { Job } from './scheduler.ts';

const keyOf = ({ name }: { readonly name: string }) => `job:${name}`;

/** A job that stands still, or fails again and again, is told of by the others. */
export const watchJobs: Job = {
  name: 'watch-jobs',
  everyMs: 60_000,
  async run(ctx) {
    const standings = await readJobStatuses(ctx);
    const goOn = standings.filter(({ isStill }) => !isStill);
    await clearAlarm(ctx, ...goOn.map(keyOf));
    for (const job of standings.filter(({ isStill }) => isStill)) {
      const since = job.succeeded_at?.toISOString() ?? 'the start';
      const why = job.isFailing ? `: ${job.last_error}` : job.took_ms === null ? ': its last run has not ended' : '';
      await raiseAlarm(ctx, {
        key: keyOf(job),
        severity: 'critical',
        sentence: `the job ${job.name} has not been done since ${since}${why}`,
        facts: { job: job.name },
      });
    }
  },
};
