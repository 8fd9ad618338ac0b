import type { Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { appendEvent } from '../events/append.ts';
import type { Approval } from '../model/approval.ts';
import type { Operation } from '../model/operation.ts';
import { recordMoveEvents } from './move-events.ts';
import { recordRegistrantChangeEnd } from './registrant-change-events.ts';

type ApprovalSubject = Pick<Operation, 'id' | 'reseller_id' | 'domain_id'> & { readonly domainName: string | null };

const types = {
  requested: 'approval.requested',
  given: 'approval.given',
  declined: 'approval.declined',
  lapsed: 'approval.lapsed',
} as const;

/** An approval that was requested, given, rejected or has expired: an event of the account, in the same transaction. */
export async function recordApprovalEvent(
  ctx: AppContext,
  tx: Tx,
  who: Pick<Actor, 'keyId' | 'requestId'>,
  operation: ApprovalSubject,
  { change, wanted, asked_by, until, answer }: Approval,
): Promise<void> {
  await appendEvent(ctx, tx, {
    resellerId: operation.reseller_id,
    type: types[answer ?? 'requested'],
    objectId: operation.id,
    requestId: who.requestId,
    payload: {
      operation_id: operation.id,
      domain_id: operation.domain_id,
      domain_name: operation.domainName,
      change,
      wanted,
      asked_by,
      until,
      key_id: who.keyId,
    },
  });
}

/** An answer is written to the audit log as well. */
export async function recordApprovalAnswer(ctx: AppContext, tx: Tx, actor: Actor, answered: Operation): Promise<void> {
  const { name } = answered.request as { readonly name?: string };
  await audit(ctx, tx, actor, {
    action: `approval.${answered.approval!.answer}`,
    objectType: 'operation',
    objectId: answered.id,
    before: { state: 'action_required' },
    after: { state: answered.state, change: answered.approval!.change, asked_by: answered.approval!.asked_by },
  });
  if (answered.approval!.awaits === 'holders') {
    const { answer } = answered.approval!;
    if (answer === 'given') return;
    const type = answer === 'lapsed' ? 'holder_change.lapsed' : 'holder_change.declined';
    return recordRegistrantChangeEnd(ctx, tx, actor, answered, type);
  }
  if (answered.kind === 'move' && answered.approval!.awaits === 'taker') {
    const type = answered.approval!.answer === 'lapsed' ? 'move.lapsed' : 'move.declined';
    return recordMoveEvents(ctx, tx, { ...answered, approval: answered.approval! }, type);
  }
  await recordApprovalEvent(ctx, tx, actor, { ...answered, domainName: name ?? null }, answered.approval!);
}
