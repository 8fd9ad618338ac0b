import { type Actor, actingId, type House, writeWide } from '../house.ts';
import type { Operation } from '../operations/operation.ts';
import { recordAnswer } from './approval.sql.ts';
import { tellAnswer } from './tell.ts';
import { lockWaiting } from './waiting.ts';

/** A no takes one key, also the one that asked. */
export async function declineOperation(house: House, actor: Actor, id: string): Promise<Operation> {
  return writeWide(house, actor, async (tx) => {
    const operation = await lockWaiting(house, tx, actor, id);
    const said = { answer: 'declined', by: actingId(actor), at: house.clock.now(), wall: house.wall.now() } as const;
    const declined = (await recordAnswer(tx, operation, said))!;
    await tellAnswer(house, tx, actor, declined);
    await actor.idempotency?.follow(tx, id);
    return declined;
  });
}
