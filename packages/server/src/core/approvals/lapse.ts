import { everyTenant, type Tx } from '@namehold/base';
import { clockworkFor } from '../domains/system-actor.ts';
import type { House } from '../house.ts';
import type { Operation } from '../operations/operation.ts';
import { lapsedApprovals, lockOperation, recordAnswer } from './approval.sql.ts';
import { approvalLimits } from './approval.ts';
import { tellAnswer } from './tell.ts';

/** Nobody said yes in time: that is a no. */
export async function lapseApprovals(house: House): Promise<number> {
  const now = house.clock.now();
  const lapsed = await lapsedApprovals(house.db.as(everyTenant), now, approvalLimits.lapsedPerRun);
  for (const row of lapsed) await lapse(house, row);
  return lapsed.length;
}

/** Nobody answers it any more. It may have been answered meanwhile, or hold again. */
export async function lapse(
  house: House,
  { id, reseller_id: resellerId }: { readonly id: string; readonly reseller_id: string },
  isOver: (tx: Tx, operation: Operation) => Promise<boolean> = () => Promise.resolve(true),
): Promise<void> {
  await house.db.transaction(everyTenant, async (tx) => {
    const operation = await lockOperation(tx, resellerId, id);
    if (!operation?.approval_until || !(await isOver(tx, operation))) return;
    const said = { answer: 'lapsed', by: null, at: house.clock.now(), wall: house.wall.now() } as const;
    const over = (await recordAnswer(tx, operation, said))!;
    await tellAnswer(house, tx, clockworkFor(operation, 'lapse-approvals'), over);
  });
}
