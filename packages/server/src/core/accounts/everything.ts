import { allTenants } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { Refusal } from '../errors.ts';

/** Data over all resellers, for the operator only. */
export function everything(ctx: AppContext, actor: Actor) {
  if (!actor.isOperator) throw new Refusal('operator_only');
  return ctx.db.as(allTenants);
}
