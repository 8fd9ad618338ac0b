import { clearAlarm, raiseAlarm } from '../core/alarms/alarm.ts';
import { readStandings } from '../core/jobs/standing.ts';
import type { Job } from './clockwork.ts';

/** A job that stands still, or fails again and again, is told of by the others. */
export const watchJobs: Job = {
  name: 'watch-jobs',
  everyMs: 60_000,
  async run(house) {
    for (const job of await readStandings(house)) {
      const key = `job:${job.name}`;
      if (!job.isStill) {
        await clearAlarm(house, key);
        continue;
      }
      const since = job.succeeded_at?.toISOString() ?? 'the start';
      const why = job.isFailing ? `: ${job.last_error}` : job.took_ms === null ? ': its last run has not ended' : '';
      await raiseAlarm(house, {
        key,
        severity: 'critical',
        sentence: `the job ${job.name} has not been done since ${since}${why}`,
        facts: { job: job.name },
      });
    }
  },
};
