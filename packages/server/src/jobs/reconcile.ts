import { allTenants, dayMs } from '@namehold/base';
import { takeTurn } from '../core/jobs/job-lease.sql.ts';
import { reconciliationSources } from '../core/reconciliation/difference.ts';
import { verifyAndReport } from '../core/reconciliation/report.ts';
import { verifyTurn } from '../core/reconciliation/request-verify.ts';
import { isRunLeft } from '../core/reconciliation/run.sql.ts';
import type { Job } from './scheduler.ts';

/** Wait before a failed run is continued, because the same error is likely at once. */
const waitSeconds = 600;

/** Runs the reconciliation of all sources in one process, once a day or when an operator requests it. An interrupted run is continued. */
export const reconcileJob: Job = {
  name: verifyTurn,
  everyMs: 600_000,
  looksAfterMs: () => 10_000,
  async run(ctx) {
    const isDue = await takeTurn(ctx, verifyTurn, dayMs);
    if (!isDue && !(await isRunLeft(ctx.db.as(allTenants), reconciliationSources, waitSeconds))) return;
    const { found, counts, skipped } = await verifyAndReport(ctx, reconciliationSources, { goesOn: true });
    if (found === 0) ctx.log.info({ counts, skipped }, 'reconciliation completed, no differences');
    else ctx.log.error({ counts, skipped, found }, 'reconciliation found differences, run namehold verify');
  },
};
