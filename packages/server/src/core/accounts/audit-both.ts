import type { Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { audit, type Change } from '../audit/audit.ts';

/** An action of a parent on a child is in the audit logs of both. */
export async function auditBoth(ctx: AppContext, tx: Tx, actor: Actor, childId: string, change: Change): Promise<void> {
  await audit(ctx, tx, actor, change);
  if (childId !== actor.resellerId) await audit(ctx, tx, actor, { ...change, resellerId: childId });
}
