import type { Actor, AppContext } from '../app-context.ts';
import { requestRun } from '../jobs/job-lease.sql.ts';
import { readReconciliation } from './status.ts';

/** Name of the job and of its lease. */
export const reconciliationJob = 'run-reconciliation';
export const verifyStates = ['due', 'running', 'recent'] as const;
const recentMs = 60_000;

/** Requests a reconciliation, which the scheduler runs. At most one at a time, and one a minute. */
export async function requestVerify(ctx: AppContext, actor: Actor): Promise<(typeof verifyStates)[number]> {
  const { run, runningSince } = await readReconciliation(ctx, actor);
  if (runningSince) return 'running';
  if (run && ctx.wall.now().getTime() - run.started_at.getTime() < recentMs) return 'recent';
  await requestRun(ctx, reconciliationJob);
  return 'due';
}
