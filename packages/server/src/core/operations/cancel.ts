import { type Actor, type AppContext, writeAsService } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { notFound, Refusal } from '../errors.ts';
import type { Operation } from '../model/operation.ts';
import { cancelIntended, findOperation } from './operation.sql.ts';

/** Possible only while nothing has been sent to the registry. Undoes the effects of transaction A. */
export async function cancelOperation(ctx: AppContext, actor: Actor, id: string): Promise<Operation> {
  return writeAsService(ctx, actor, async (tx) => {
    const before = await findOperation(tx, actor.resellerId, id);
    if (!before) throw notFound('operation');
    if (before.approval_until)
      throw new Refusal('conflict', `Operation ${id} is waiting for approval. Reject it instead.`, {
        facts: { operationId: id },
      });
    if (!(await cancelIntended(tx, id, ctx.wall.now())))
      throw new Refusal('conflict', `Operation ${id} is ${before.state} and can no longer be cancelled.`, {
        facts: { operationId: id },
      });
    await ctx.engine.undo(tx, before);
    await audit(ctx, tx, actor, {
      action: 'operation.cancel',
      objectType: 'operation',
      objectId: id,
      before: { state: before.state },
      after: { state: 'cancelled' },
    });
    return (await findOperation(tx, actor.resellerId, id))!;
  });
}
