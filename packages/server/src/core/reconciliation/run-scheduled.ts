import { dayMs } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { claimRun } from '../jobs/job-lease.sql.ts';
import { reconciliationSources } from './difference.ts';
import { verifyAndReport } from './report.ts';
import { reconciliationJob } from './request-verify.ts';
import { isRunLeft } from './run.sql.ts';

/** Wait before a failed run is continued, because the same error is likely at once. */
const waitSeconds = 600;

/** Runs the reconciliation of all sources in one process, once a day or when an operator requests it. An interrupted run is continued. */
export async function runReconciliation(ctx: AppContext): Promise<void> {
  const isDue = await claimRun(ctx, reconciliationJob, dayMs);
  if (!isDue && !(await isRunLeft(ctx.db.as(allTenants), reconciliationSources, waitSeconds))) return;
  const { found, counts, skipped } = await verifyAndReport(ctx, reconciliationSources, { goesOn: true });
  if (found === 0) ctx.log.info({ counts, skipped }, 'reconciliation completed, no differences');
  else ctx.log.error({ counts, skipped, found }, 'reconciliation found differences, run namehold verify');
}
