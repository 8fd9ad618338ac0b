import { refundLate } from '../core/domains/end/late-refunds.ts';
import { takeTurn } from '../core/jobs/job-lease.sql.ts';
import type { Job } from './scheduler.ts';

const jobMs = 600_000;
/** Slightly less than the interval, because jobs do not start at an exact time. */
const turnMs = jobMs * 0.9;

/** Only one process queries the registries in each interval. */
export const lateRefunds: Job = {
  name: 'late-refunds',
  everyMs: jobMs,
  async run(ctx) {
    if (await takeTurn(ctx, 'late-refunds', turnMs)) await refundLate(ctx);
  },
};
