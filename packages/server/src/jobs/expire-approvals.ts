import { expireApprovals } from '../core/approvals/expire.ts';
import { carryOutConfirmed } from '../core/registrant-change/carry-out.ts';
import { expireOvertaken } from '../core/registrant-change/overtaken.ts';
import type { Job } from './scheduler.ts';

/** Changes of holders that everybody has confirmed and nobody has begun, and those that cannot be confirmed any more; then what waits for a yes that nobody said in time. */
export const expireApprovalsJob: Job = {
  name: 'lapse-approvals',
  everyMs: 60_000,
  run: async (ctx) => {
    await carryOutConfirmed(ctx);
    await expireOvertaken(ctx);
    await expireApprovals(ctx);
  },
};
