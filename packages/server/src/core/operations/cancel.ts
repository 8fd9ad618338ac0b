import { audit } from '../audit/audit.ts';
import { notFound, Refusal } from '../errors.ts';
import { type Actor, type House, writeWide } from '../house.ts';
import { cancelIntended, findOperation } from './operation.sql.ts';
import type { Operation } from './operation.ts';

/** Possible only while nothing has left for the registry. What transaction A did is undone. */
export async function cancelOperation(house: House, actor: Actor, id: string): Promise<Operation> {
  return writeWide(house, actor, async (tx) => {
    const before = await findOperation(tx, actor.resellerId, id);
    if (!before) throw notFound('operation');
    if (before.approval_until)
      throw new Refusal('conflict', `Operation ${id} is waiting for approval. Reject it instead.`, {
        facts: { operationId: id },
      });
    if (!(await cancelIntended(tx, id, house.wall.now())))
      throw new Refusal('conflict', `Operation ${id} is ${before.state} and can no longer be cancelled.`, {
        facts: { operationId: id },
      });
    await house.engine.undo(tx, before);
    await audit(house, tx, actor, {
      action: 'operation.cancel',
      objectType: 'operation',
      objectId: id,
      before: { state: before.state },
      after: { state: 'cancelled' },
    });
    return (await findOperation(tx, actor.resellerId, id))!;
  });
}
