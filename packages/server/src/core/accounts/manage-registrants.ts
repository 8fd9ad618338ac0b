import { type Actor, type AppContext, writeAsService } from '../app-context.ts';
import { notFound, Refusal } from '../errors.ts';
import { setManagesRegistrants } from './account.sql.ts';
import type { Reseller } from './account.ts';
import { auditBoth } from './audit-both.ts';

/**
 * Which party contacts the registrants of an account's domains: the account itself, or the service. The service stays responsible for
 * their confirmation, so only its operator can change this.
 */
export async function setRegistrantManagement(
  ctx: AppContext,
  actor: Actor,
  id: string,
  on: boolean,
): Promise<Reseller> {
  if (!actor.isOperator) throw new Refusal('operator_only');
  return writeAsService(ctx, actor, async (tx) => {
    const after = await setManagesRegistrants(tx, id, on);
    if (!after) throw notFound('reseller');
    const change = { action: 'reseller.holders', objectType: 'reseller', objectId: id } as const;
    await auditBoth(ctx, tx, actor, id, { ...change, after: { looks_after_holders: on } });
    return after;
  });
}
