import type { Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../../app-context.ts';
import { recordApprovalEvent } from '../../approvals/approval-events.ts';
import { recordMoveEvents } from '../../approvals/move-events.ts';
import { audit } from '../../audit/audit.ts';
import type { OperationOf } from '../../model/operation.ts';
import { approvalAttention } from '../../operations/operation.sql.ts';
import { markOffered, setTaker } from './move.sql.ts';

/** The current reseller has approved: the offer is sent. */
export async function offerMove(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  requested: OperationOf<'move'>,
): Promise<OperationOf<'move'>> {
  await ctx.engine.recheck(tx, requested);
  const approval = { ...requested.approval!, awaits: 'taker' } as const;
  await setTaker(tx, requested.id);
  const offered = await markOffered(tx, requested.id, approvalAttention(approval), ctx.wall.now());
  await audit(ctx, tx, actor, {
    action: 'approval.given',
    objectType: 'operation',
    objectId: requested.id,
    after: { change: 'move', asked_by: approval.asked_by },
  });
  const subject = { ...offered, domainName: offered.request.name, approval };
  await recordApprovalEvent(ctx, tx, actor, subject, { ...approval, answer: 'given' });
  await recordMoveEvents(ctx, tx, subject, 'move.offered');
  return offered;
}
