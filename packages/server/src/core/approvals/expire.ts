import { allTenants, type Tx } from '@namehold/postgres';
import { schedulerFor } from '../actors.ts';
import type { AppContext } from '../app-context.ts';
import { approvalLimits } from '../model/approval.ts';
import type { Operation } from '../model/operation.ts';
import { expiredApprovals, lockOperation, recordAnswer } from './approval.sql.ts';
import { recordApprovalAnswer } from './approval-events.ts';

/** Rejects operations that were not approved in time. */
export async function expireApprovals(ctx: AppContext): Promise<number> {
  const now = ctx.clock.now();
  const expired = await expiredApprovals(ctx.db.as(allTenants), now, approvalLimits.expiredPerRun);
  for (const row of expired) await expireApproval(ctx, row);
  return expired.length;
}

/** The operation can no longer be approved. It may have been answered in the meantime, or be postponed. */
export async function expireApproval(
  ctx: AppContext,
  { id, reseller_id: resellerId }: { readonly id: string; readonly reseller_id: string },
  isOver: (tx: Tx, operation: Operation) => Promise<boolean> = () => Promise.resolve(true),
): Promise<void> {
  await ctx.db.transaction(allTenants, async (tx) => {
    const operation = await lockOperation(tx, resellerId, id);
    if (!operation?.approval_until || !(await isOver(tx, operation))) return;
    const response = { answer: 'lapsed', by: null, at: ctx.clock.now(), wall: ctx.wall.now() } as const;
    const over = (await recordAnswer(tx, operation, response))!;
    await recordApprovalAnswer(ctx, tx, schedulerFor(operation, 'expire-approvals'), over);
  });
}
