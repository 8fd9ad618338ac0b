import { everyTenant } from '@namehold/base';
import { recordAnswer } from '../../approvals/approval.sql.ts';
import { declineOperation } from '../../approvals/decline.ts';
import { tellMove } from '../../approvals/tell-move.ts';
import { audit } from '../../audit/audit.ts';
import { type Actor, type House, writeWide } from '../../house.ts';
import { lockWaitingOffer, notWaiting } from './accept.ts';
import { isWaitingOf } from './move.sql.ts';
import type { Move } from './move.ts';
import { readMove } from './read.ts';

/** Either side may say no while nobody has said yes: the taker refuses, the giver takes the offer back. */
export async function declineMove(house: House, actor: Actor, id: string): Promise<Move> {
  if (await isWaitingOf(house.db.as(everyTenant), actor.resellerId, id)) await declineOperation(house, actor, id);
  else if ((await readMove(house, actor, id)).direction === 'in') await refuse(house, actor, id);
  else throw notWaiting(id);
  return readMove(house, actor, id);
}

async function refuse(house: House, actor: Actor, id: string): Promise<void> {
  await writeWide(house, actor, async (tx) => {
    const offer = await lockWaitingOffer(house, tx, actor, id);
    await recordAnswer(tx, offer, {
      answer: 'declined',
      by: null,
      at: house.clock.now(),
      wall: house.wall.now(),
    });
    await actor.idempotency?.follow(tx, id);
    await audit(house, tx, actor, {
      action: 'move.decline',
      objectType: 'operation',
      objectId: id,
      after: { domain_name: offer.request.name },
    });
    await tellMove(house, tx, { ...offer, approval: offer.approval! }, 'move.declined');
  });
}
