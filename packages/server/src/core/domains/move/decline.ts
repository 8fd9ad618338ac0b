import { allTenants } from '@namehold/postgres';
import { type Actor, type AppContext, writeAsService } from '../../app-context.ts';
import { recordAnswer } from '../../approvals/approval.sql.ts';
import { declineOperation } from '../../approvals/decline.ts';
import { recordMoveEvents } from '../../approvals/move-events.ts';
import { audit } from '../../audit/audit.ts';
import { lockWaitingOffer, notWaiting } from './accept.ts';
import { isWaitingOf } from './move.sql.ts';
import type { Move } from './move.ts';
import { readMove } from './read.ts';

/** Before the acceptance either side can end it: the receiving reseller rejects the offer, the current one withdraws it. */
export async function declineMove(ctx: AppContext, actor: Actor, id: string): Promise<Move> {
  if (await isWaitingOf(ctx.db.as(allTenants), actor.resellerId, id)) await declineOperation(ctx, actor, id);
  else if ((await readMove(ctx, actor, id)).direction === 'in') await refuse(ctx, actor, id);
  else throw notWaiting(id);
  return readMove(ctx, actor, id);
}

async function refuse(ctx: AppContext, actor: Actor, id: string): Promise<void> {
  await writeAsService(ctx, actor, async (tx) => {
    const offer = await lockWaitingOffer(ctx, tx, actor, id);
    await recordAnswer(tx, offer, {
      answer: 'declined',
      by: null,
      at: ctx.clock.now(),
      wall: ctx.wall.now(),
    });
    await actor.idempotency?.follow(tx, id);
    await audit(ctx, tx, actor, {
      action: 'move.decline',
      objectType: 'operation',
      objectId: id,
      after: { domain_name: offer.request.name },
    });
    await recordMoveEvents(ctx, tx, { ...offer, approval: offer.approval! }, 'move.declined');
  });
}
