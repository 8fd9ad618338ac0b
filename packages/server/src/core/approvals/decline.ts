import { type Actor, type AppContext, actingId, writeAsService } from '../app-context.ts';
import type { Operation } from '../model/operation.ts';
import { recordAnswer } from './approval.sql.ts';
import { recordApprovalAnswer } from './approval-events.ts';
import { lockWaiting } from './waiting.ts';

/** One key is enough to reject, including the requesting one. */
export async function declineOperation(ctx: AppContext, actor: Actor, id: string): Promise<Operation> {
  return writeAsService(ctx, actor, async (tx) => {
    const operation = await lockWaiting(ctx, tx, actor, id);
    const response = { answer: 'declined', by: actingId(actor), at: ctx.clock.now(), wall: ctx.wall.now() } as const;
    const declined = (await recordAnswer(tx, operation, response))!;
    await recordApprovalAnswer(ctx, tx, actor, declined);
    await actor.idempotency?.follow(tx, id);
    return declined;
  });
}
