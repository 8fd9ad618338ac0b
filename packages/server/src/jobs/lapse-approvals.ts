import { lapseApprovals } from '../core/approvals/lapse.ts';
import type { Job } from './clockwork.ts';

/** What waits for a second yes that nobody said in time. */
export const lapseApprovalsJob: Job = {
  name: 'lapse-approvals',
  everyMs: 60_000,
  run: async (house) => {
    await lapseApprovals(house);
  },
};
