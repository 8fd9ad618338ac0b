import { lapseApprovals } from '../core/approvals/lapse.ts';
import { carryOutConfirmed } from '../core/holder-change/carry-out.ts';
import { lapseOvertaken } from '../core/holder-change/overtaken.ts';
import type { Job } from './clockwork.ts';

/** Changes of holders that everybody has confirmed and nobody has begun, and those that cannot be confirmed any more; then what waits for a yes that nobody said in time. */
export const lapseApprovalsJob: Job = {
  name: 'lapse-approvals',
  everyMs: 60_000,
  run: async (house) => {
    await carryOutConfirmed(house);
    await lapseOvertaken(house);
    await lapseApprovals(house);
  },
};
