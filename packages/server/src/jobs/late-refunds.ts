import { refundLate } from '../core/domains/end/late-refunds.ts';
import { takeTurn } from '../core/jobs/job-lease.sql.ts';
import type { Job } from './scheduler.ts';

const jobMs = 600_000;
/** A little less: nobody comes on the dot. */
const turnMs = jobMs * 0.9;

/** One process asks for all. */
export const lateRefunds: Job = {
  name: 'late-refunds',
  everyMs: jobMs,
  async run(ctx) {
    if (await takeTurn(ctx, 'late-refunds', turnMs)) await refundLate(ctx);
  },
};
