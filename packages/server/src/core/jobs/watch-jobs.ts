import { clearAlarm, raiseAlarm } from '../alarms/alarm.ts';
import type { AppContext } from '../app-context.ts';
import { readJobStatuses } from './job-status.ts';

const keyOf = ({ name }: { readonly name: string }) => `job:${name}`;

/** The other jobs report a job that is stalled or fails repeatedly. */
export async function watchJobs(ctx: AppContext): Promise<void> {
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
}
