import { everyTenant } from '@namehold/base';
import { clockworkFor } from '../domains/system-actor.ts';
import type { House } from '../house.ts';
import { lapsedApprovals, lockOperation, recordAnswer } from './approval.sql.ts';
import { approvalLimits } from './approval.ts';
import { tellAnswer } from './tell.ts';

/** Nobody said yes in time: that is a no. */
export async function lapseApprovals(house: House): Promise<number> {
  const now = house.clock.now();
  const lapsed = await lapsedApprovals(house.db.as(everyTenant), now, approvalLimits.lapsedPerRun);
  for (const { id, reseller_id: resellerId } of lapsed) {
    await house.db.transaction(everyTenant, async (tx) => {
      const operation = await lockOperation(tx, resellerId, id);
      // Answered in the meantime.
      if (!operation?.approval_until) return;
      const said = { answer: 'lapsed', by: null, at: now, wall: house.wall.now() } as const;
      const over = (await recordAnswer(tx, operation, said))!;
      await tellAnswer(house, tx, clockworkFor(operation, 'lapse-approvals'), over);
    });
  }
  return lapsed.length;
}
