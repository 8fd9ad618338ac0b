import { allTenants, dayMs } from '@namehold/base';
import { takeTurn } from '../core/jobs/job-lease.sql.ts';
import { reconciliationSources } from '../core/reconciliation/difference.ts';
import { verifyAndReport } from '../core/reconciliation/report.ts';
import { verifyTurn } from '../core/reconciliation/request-verify.ts';
import { isRunLeft } from '../core/reconciliation/run.sql.ts';
import type { Job } from './scheduler.ts';

/** What failed a moment ago may fail again. */
const waitSeconds = 600;

/** Once a day, or when an operator asks for it, in one of the processes: the five books are compared, each with each. One that was left in the middle goes on. */
export const reconcileJob: Job = {
  name: verifyTurn,
  everyMs: 600_000,
  looksAfterMs: () => 10_000,
  async run(ctx) {
    const isDue = await takeTurn(ctx, verifyTurn, dayMs);
    if (!isDue && !(await isRunLeft(ctx.db.as(allTenants), reconciliationSources, waitSeconds))) return;
    const { found, counts, skipped } = await verifyAndReport(ctx, reconciliationSources, { goesOn: true });
    if (found === 0) ctx.log.info({ counts, skipped }, 'the books were compared and agree');
    else ctx.log.error({ counts, skipped, found }, 'reconciliation found differences: run namehold verify');
  },
};
