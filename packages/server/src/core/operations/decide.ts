import { everyTenant } from '@namehold/base';
import { audit } from '../audit/audit.ts';
import { notFound } from '../errors.ts';
import { type Actor, actingId, type House } from '../house.ts';
import { clearOwnAlarms } from './attention.ts';
import { changeState, recordDecision } from './operation.sql.ts';
import type { Choice, Decision, Operation } from './operation.ts';

/**
 * How a person settles an operation that cannot settle itself. `done` runs it once more: the registry must show it, but it need not be
 * explained; where the registry refuses to tell, the person's word counts. `refused` undoes what the order did. `ask_again` lets the clockwork try. The caller has made sure that it is the operator.
 */
export async function decideOperation(
  house: House,
  actor: Actor,
  id: string,
  said: { readonly says: Choice; readonly reason: string; readonly onlyAsks?: true },
): Promise<void> {
  const now = house.wall.now();
  const decision: Decision = { ...said, by: actingId(actor) ?? actor.address, at: now.toISOString() };
  await house.db.transaction(everyTenant, async (tx) => {
    const operation = await recordDecision(tx, id, decision);
    if (!operation) throw notFound('operation');
    if (said.says === 'refused') await refuse(house, tx, operation, said.reason);
    await audit(house, tx, actor, {
      action: 'operation.decide',
      objectType: 'operation',
      objectId: id,
      before: { state: operation.state },
      after: { decision },
    });
  });
  if (said.says !== 'refused') await house.engine.start(id);
}

async function refuse(
  house: House,
  tx: Parameters<typeof clearOwnAlarms>[0],
  operation: Operation,
  reason: string,
): Promise<void> {
  const now = house.wall.now();
  const refused = await changeState(tx, operation.id, operation.fence, {
    state: 'refused',
    now,
    retryMs: 0,
    evidence: { text: reason },
    steps: [{ name: 'settle', at: now.toISOString(), result: 'refused by hand' }],
  });
  if (!refused) throw new Error(`operation ${operation.id} could not be refused`);
  await house.engine.undo(tx, operation);
  await clearOwnAlarms(tx, refused, now);
}
