import { allTenants, type Tx } from '@namehold/postgres';
import { countFullPrincipals, lockSecurity, readSecurity, saveSecurity } from '../accounts/security.sql.ts';
import type { Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { Refusal } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import { guardedKinds, type Security } from '../model/approval.ts';
import type { SecurityRequest } from '../model/operation-kinds.ts';
import { placeOperation } from '../operations/order.ts';
import { recordApprovalEvent } from './approval-events.ts';
import { neededApproval } from './needed-approval.ts';

export const readOwnSecurity = (ctx: AppContext, actor: Actor): Promise<Security> =>
  readSecurity(ctx.db.as(actor.resellerId), actor.resellerId);

/**
 * A change that makes domains safer applies at once. Removing a required approval needs an approval itself, and so does turning theft
 * protection off while any approval is required. On the second database login: no request may write these columns.
 */
export async function changeSecurity(
  ctx: AppContext,
  actor: Actor,
  change: Partial<Security>,
): Promise<Security | { readonly operationId: string }> {
  return ctx.db.transaction(allTenants, async (tx) => {
    const before = await lockSecurity(tx, actor.resellerId);
    const chosen = change.second_yes ?? before.second_yes;
    const wanted: Security = {
      second_yes: guardedKinds.filter((kind) => chosen.includes(kind)),
      theft_protection: change.theft_protection === undefined ? before.theft_protection : change.theft_protection,
    };
    if (wanted.second_yes.length > 0) await requireSecondPrincipal(ctx, tx, actor);
    const scopes = ['full'];
    const approvalRequest = { change: 'security', wanted: { ...wanted }, scopes, domainId: null } as const;
    const approval = isWeaker(ctx, before, wanted) ? await neededApproval(ctx, tx, actor, approvalRequest) : undefined;
    if (!approval) {
      await applySecurity(ctx, tx, actor, before, wanted);
      await actor.idempotency?.complete(tx, wanted);
      return wanted;
    }
    const request: SecurityRequest = { wanted, before };
    const id = await placeOperation(ctx, tx, actor, {
      kind: 'account_security',
      registryId: null,
      request,
      approval,
    });
    const subject = { id, reseller_id: actor.resellerId, domain_id: null, domainName: null };
    await recordApprovalEvent(ctx, tx, actor, subject, approval);
    return { operationId: id };
  });
}

export async function applySecurity(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  before: Security,
  after: Security,
): Promise<void> {
  await saveSecurity(tx, actor.resellerId, after);
  const change = { action: 'account.security', objectType: 'reseller', objectId: actor.resellerId, before, after };
  await audit(ctx, tx, actor, change);
  await appendEvent(ctx, tx, {
    resellerId: actor.resellerId,
    type: 'account.security_changed',
    objectId: actor.resellerId,
    requestId: actor.requestId,
    payload: { before, after, key_id: actor.keyId },
  });
}

function isWeaker(ctx: AppContext, before: Security, wanted: Security): boolean {
  const protects = ({ theft_protection: chosen }: Security) => chosen ?? ctx.config.theftProtection === 'on';
  const isTaken = before.second_yes.some((kind) => !wanted.second_yes.includes(kind));
  return isTaken || (protects(before) && !protects(wanted));
}

/** An account with one principal could never approve, nor turn the requirement off again. */
async function requireSecondPrincipal(ctx: AppContext, tx: Tx, actor: Actor): Promise<void> {
  if ((await countFullPrincipals(tx, actor.resellerId, ctx.wall.now())) >= 2) return;
  throw new Refusal(
    'conflict',
    'All keys with the scope full were created by one key, so no other principal could approve. Request an invitation from your provider, and create another key with it. The operator can use `namehold key create`.',
  );
}
