import type { Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { appendEvent } from '../events/append.ts';
import type { Approval } from '../model/approval.ts';
import type { Operation } from '../model/operation.ts';
import type { Side } from '../model/registrant-change.ts';

type Who = Pick<Actor, 'keyId' | 'requestId'>;

type ApprovalSubject = Pick<Operation, 'id' | 'reseller_id' | 'domain_id' | 'contact_id'> & {
  readonly approval: Pick<Approval, 'until'>;
  readonly names: readonly string[];
};

const factsOf = (who: Who, { id, domain_id, contact_id, approval, names }: ApprovalSubject) => ({
  operation_id: id,
  domain_id,
  contact_id,
  domains: [...names],
  until: approval.until,
  key_id: who.keyId,
});

const subjectOf = (operation: Operation): ApprovalSubject => {
  const { request } = operation;
  const names = 'domains' in request ? request.domains : 'name' in request ? [request.name] : [];
  return { ...operation, approval: operation.approval!, names };
};

/** Both sides were asked to confirm: an event of the account, in the same transaction. */
export async function recordRegistrantChangeRequested(
  ctx: AppContext,
  tx: Tx,
  who: Who,
  subject: ApprovalSubject,
): Promise<void> {
  await appendEvent(ctx, tx, {
    resellerId: subject.reseller_id,
    type: 'holder_change.asked',
    objectId: subject.id,
    requestId: who.requestId,
    payload: factsOf(who, subject),
  });
}

export async function recordConfirmed(
  ctx: AppContext,
  tx: Tx,
  who: Who,
  operation: Operation,
  confirmation: { readonly side: Side; readonly lock_opt_out: boolean },
): Promise<void> {
  await appendEvent(ctx, tx, {
    resellerId: operation.reseller_id,
    type: 'holder_change.confirmed',
    objectId: operation.id,
    requestId: who.requestId,
    payload: { ...factsOf(who, subjectOf(operation)), ...confirmation },
  });
}

/** The end of the request. A complete confirmation was already reported with the last confirmation. */
export async function recordRegistrantChangeEnd(
  ctx: AppContext,
  tx: Tx,
  who: Who,
  operation: Operation,
  type: 'holder_change.declined' | 'holder_change.lapsed' | 'holder_change.done',
): Promise<void> {
  const payload = factsOf(who, subjectOf(operation));
  const { id: objectId, reseller_id: resellerId } = operation;
  await appendEvent(ctx, tx, { resellerId, type, objectId, requestId: who.requestId, payload });
}
