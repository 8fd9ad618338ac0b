import type { Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { notFound, Refusal } from '../errors.ts';
import { allows } from '../keys/key.ts';
import type { Operation } from '../model/operation.ts';
import { lockOperation } from './approval.sql.ts';

/** The account's operation, locked, if it still waits for an approval that this key may give or reject. */
export async function lockWaiting(ctx: AppContext, tx: Tx, actor: Actor, id: string): Promise<Operation> {
  const operation = await lockOperation(tx, actor.resellerId, id);
  if (!operation) throw notFound('operation');
  const facts = { operationId: id };
  if (!operation.approval || !operation.approval_until)
    throw new Refusal('conflict', `Operation ${id} is not waiting for approval: its state is ${operation.state}.`, {
      facts,
    });
  const { scopes } = operation.approval;
  if (!scopes.some((scope) => allows(actor.scopes, scope)))
    throw new Refusal('scope_missing', `This API key lacks the scope ${scopes.join(' or ')}.`, {
      facts: { scope: scopes[0] },
    });
  if (operation.approval_until <= ctx.clock.now())
    throw new Refusal('conflict', `Operation ${id} was not approved in time.`, { facts });
  return operation;
}
