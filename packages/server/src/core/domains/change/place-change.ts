import type { Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../../app-context.ts';
import { recordApprovalEvent } from '../../approvals/approval-events.ts';
import { neededApproval } from '../../approvals/needed-approval.ts';
import { appendEvent, type NewEvent } from '../../events/append.ts';
import type { PayloadOf } from '../../events/catalogue.ts';
import type { GuardedKind } from '../../model/approval.ts';
import type { Domain } from '../../model/domain.ts';
import type { UpdateRequest } from '../../model/domain-change.ts';
import type { ChildHostRequest } from '../../model/operation-kinds.ts';
import { placeOperation } from '../../operations/order.ts';

type ChangeRequest = UpdateRequest | ChildHostRequest;

function guardedKindOf(request: ChangeRequest): GuardedKind | undefined {
  switch (request.change) {
    case 'nameservers':
    case 'child_host':
      return 'nameservers';
    case 'dnssec':
      return 'ds';
    case 'auth_code':
      return request.wanted.authCode === 'set' ? 'auth_code' : undefined;
    case 'theft_protection':
    case 'locked':
      return request.wanted.flags?.[request.change] === false ? 'unlock' : undefined;
    default:
      return undefined;
  }
}

/** The wanted state as text for an event and for the approver. It never contains an auth code. */
function wantedOf(request: ChangeRequest): Record<string, unknown> {
  switch (request.change) {
    case 'child_host':
      return { hostname: request.hostname, addresses: request.addresses, was_called: request.from };
    case 'nameservers':
      return { nameservers: request.wanted.nameservers };
    case 'dnssec':
      return { add_ds: request.wanted.addDs ?? [], remove_ds: request.wanted.removeDs ?? [] };
    default:
      return { ...request.wanted.flags };
  }
}

interface Change {
  readonly kind: 'update' | 'child_host';
  readonly request: ChangeRequest;
  readonly secrets?: object;
  /** If the account requires approvals, an approver needs one of these scopes: those that the call itself requires. */
  readonly scopes?: readonly string[];
}

/**
 * Places the operation of a change. For a change that could be part of a domain theft, the event is appended when the change is ordered,
 * while it can still be stopped. If the account requires approval for the change, the operation waits for it.
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

/** Includes the key of the request, so that the reader knows which key to revoke. */
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
