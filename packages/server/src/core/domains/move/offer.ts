import type { Tx } from '@namehold/base';
import { tellApproval } from '../../approvals/tell.ts';
import { tellMove } from '../../approvals/tell-move.ts';
import { audit } from '../../audit/audit.ts';
import type { Actor, House } from '../../house.ts';
import { waitsForYes } from '../../operations/operation.sql.ts';
import type { OperationOf } from '../../operations/operation.ts';
import { markOffered, setTaker } from './move.sql.ts';

/** The giver's second yes was said: the offer goes out. */
export async function offerMove(
  house: House,
  tx: Tx,
  actor: Actor,
  asked: OperationOf<'move'>,
): Promise<OperationOf<'move'>> {
  await house.engine.recheck(tx, asked);
  const approval = { ...asked.approval!, awaits: 'taker' } as const;
  await setTaker(tx, asked.id);
  const offered = await markOffered(tx, asked.id, waitsForYes(approval), house.wall.now());
  await audit(house, tx, actor, {
    action: 'approval.given',
    objectType: 'operation',
    objectId: asked.id,
    after: { change: 'move', asked_by: approval.asked_by },
  });
  const told = { ...offered, domainName: offered.request.name, approval };
  await tellApproval(house, tx, actor, told, { ...approval, answer: 'given' });
  await tellMove(house, tx, told, 'move.offered');
  return offered;
}
