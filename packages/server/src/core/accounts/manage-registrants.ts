import { type Actor, type AppContext, writeWide } from '../app-context.ts';
import { notFound, Refusal } from '../errors.ts';
import { setLooksAfterHolders } from './account.sql.ts';
import type { Reseller } from './account.ts';
import { auditBoth } from './audit-both.ts';

/**
 * Who speaks to the holders of an account's names: the account itself, or the platform. The duty to have their confirmation stays the
 * platform's, so only its operator can say so.
 */
export async function setRegistrantManagement(
  ctx: AppContext,
  actor: Actor,
  id: string,
  on: boolean,
): Promise<Reseller> {
  if (!actor.isOperator) throw new Refusal('operator_only');
  return writeWide(ctx, actor, async (tx) => {
    const after = await setLooksAfterHolders(tx, id, on);
    if (!after) throw notFound('reseller');
    const change = { action: 'reseller.holders', objectType: 'reseller', objectId: id } as const;
    await auditBoth(ctx, tx, actor, id, { ...change, after: { looks_after_holders: on } });
    return after;
  });
}
