import { expireApprovals } from '../core/approvals/expire.ts';
import { carryOutConfirmed } from '../core/registrant-change/carry-out.ts';
import { expireOvertaken } from '../core/registrant-change/overtaken.ts';
import type { Job } from './scheduler.ts';

/** First changes of registrant: confirmed ones are carried out, expired ones cancelled. Then other approvals that expired. */
export const expireApprovalsJob: Job = {
  name: 'lapse-approvals',
  everyMs: 60_000,
  run: async (ctx) => {
    await carryOutConfirmed(ctx);
    await expireOvertaken(ctx);
    await expireApprovals(ctx);
  },
};
