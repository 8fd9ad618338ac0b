import type { Tx } from '@namehold/base';
import type { Actor, AppContext } from '../../app-context.ts';
import { recordApprovalEvent } from '../../approvals/approval-events.ts';
import { neededApproval } from '../../approvals/needed-approval.ts';
import { appendEvent, type NewEvent } from '../../events/append.ts';
import type { PayloadOf } from '../../events/catalogue.ts';
import { placeOperation } from '../../operations/order.ts';
import type { Domain } from '../domain.ts';
import { type ChangeRequest, guardedKindOf, wantedOf } from './guarded-change.ts';

export interface Change {
  readonly kind: 'update' | 'child_host';
  readonly request: ChangeRequest;
  readonly secrets?: object;
  /** Of which the second yes needs one, where the account wants it: those that the call itself asks for. */
  readonly scopes?: readonly string[];
}

/**
 * The operation of a change, and where a thief would want that change, the event about it: told when it is ordered, not when it is too
 * late. Where the account wants a second yes to it, the operation waits for that.
 */
export async function placeChange(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  domain: Pick<Domain, 'id' | 'name' | 'registry_id'>,
  change: Change,
): Promise<string> {
  const { request, scopes = ['domains:write'] } = change;
  const guarded = guardedKindOf(request);
  const wanted = wantedOf(request);
  const approvalRequest = guarded && { change: guarded, wanted, scopes, domainId: domain.id };
  const approval = approvalRequest && (await neededApproval(ctx, tx, actor, approvalRequest));
  const id = await placeOperation(ctx, tx, actor, {
    kind: change.kind,
    domainId: domain.id,
    registryId: domain.registry_id,
    request,
    approval,
    ...(change.secrets ? { secrets: change.secrets } : {}),
  });
  if (approval) {
    const subject = { id, reseller_id: actor.resellerId, domain_id: domain.id, domainName: domain.name };
    await recordApprovalEvent(ctx, tx, actor, subject, approval);
  } else if (guarded) {
    const facts = { operation_id: id, change: guarded, wanted };
    await appendEvent(ctx, tx, changeEvent(actor, domain, 'domain.update_ordered', facts));
  }
  return id;
}

/** With the key that asked: whoever reads it wants to know which one to revoke. */
export function changeEvent<T extends 'domain.update_ordered' | 'domain.auth_code_given'>(
  actor: Pick<Actor, 'resellerId' | 'keyId' | 'requestId'>,
  domain: Pick<Domain, 'id' | 'name'>,
  type: T,
  more: Omit<PayloadOf<T>, 'domain_id' | 'domain_name' | 'key_id'>,
): NewEvent {
  return {
    resellerId: actor.resellerId,
    type,
    objectId: domain.id,
    requestId: actor.requestId,
    payload: { domain_id: domain.id, domain_name: domain.name, key_id: actor.keyId, ...more },
  } as NewEvent;
}
