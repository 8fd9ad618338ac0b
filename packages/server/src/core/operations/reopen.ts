import { allTenants, type Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { Refusal } from '../errors.ts';
import { holdAgain } from '../ledger/hold-again.ts';
import type { Operation } from '../model/operation.ts';
import { throwInProgress } from './order.ts';
import { reopenOperation } from './reopen.sql.ts';

class DryRun extends Error {}

/**
 * Reopens a refused order that the registry has executed after all: the money is held again, and the workflow queries and settles it as
 * if the refusal had not been accepted. The caller has verified that the actor is the operator.
 */
export async function reopen(
  ctx: AppContext,
  actor: Actor,
  operation: Operation,
  { reason, isDryRun }: { readonly reason: string; readonly isDryRun: boolean },
): Promise<void> {
  await ctx.db
    .transaction(allTenants, async (tx) => {
      await takeUp(ctx, tx, operation);
      await audit(ctx, tx, actor, {
        action: 'operation.reopen',
        objectType: 'operation',
        objectId: operation.id,
        before: { state: operation.state },
        after: { state: 'unknown', reason },
      });
      if (isDryRun) throw new DryRun();
    })
    .catch((error: unknown) => {
      if (!(error instanceof DryRun)) throwInProgress(error);
    });
  if (!isDryRun) await ctx.engine.start(operation.id);
}

async function takeUp(ctx: AppContext, tx: Tx, operation: Operation): Promise<void> {
  if (!(await reopenOperation(tx, operation.id, ctx.wall.now())))
    throw new Refusal('conflict', `Operation ${operation.id} is no longer refused.`);
  await ctx.engine.redo(tx, operation);
  if (operation.transaction_id) await holdAgain(ctx, tx, operation.transaction_id);
}
