import type { Tx } from '@namehold/base';
import { audit } from '../audit/audit.ts';
import { appendEvent } from '../events/append.ts';
import type { Actor, House } from '../house.ts';
import type { Operation } from '../operations/operation.ts';
import type { Approval } from './approval.ts';
import { tellHolderEnd } from './tell-holder-change.ts';
import { tellMove } from './tell-move.ts';

type Told = Pick<Operation, 'id' | 'reseller_id' | 'domain_id'> & { readonly domainName: string | null };

const types = {
  requested: 'approval.requested',
  given: 'approval.given',
  declined: 'approval.declined',
  lapsed: 'approval.lapsed',
} as const;

/** Asked for, given, declined or lapsed: an event of the account, in the transaction in which it happens. */
export async function tellApproval(
  house: House,
  tx: Tx,
  who: Pick<Actor, 'keyId' | 'requestId'>,
  operation: Told,
  { change, wanted, asked_by, until, answer }: Approval,
): Promise<void> {
  await appendEvent(house, tx, {
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

/** An answer: in the audit log as well. */
export async function tellAnswer(house: House, tx: Tx, actor: Actor, answered: Operation): Promise<void> {
  const { name } = answered.request as { readonly name?: string };
  await audit(house, tx, actor, {
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
    return tellHolderEnd(house, tx, actor, answered, type);
  }
  if (answered.kind === 'move' && answered.approval!.awaits === 'taker') {
    const type = answered.approval!.answer === 'lapsed' ? 'move.lapsed' : 'move.declined';
    return tellMove(house, tx, { ...answered, approval: answered.approval! }, type);
  }
  await tellApproval(house, tx, actor, { ...answered, domainName: name ?? null }, answered.approval!);
}
