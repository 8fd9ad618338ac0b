import { everyTenant, violatedConstraint } from '@namehold/base';
import { lockOperation, recordAnswer } from '../approvals/approval.sql.ts';
import { tellAnswer } from '../approvals/tell.ts';
import { clockworkFor } from '../domains/system-actor.ts';
import { Refusal } from '../errors.ts';
import type { House } from '../house.ts';
import { refuseSecond } from '../operations/order.ts';
import { confirmedChanges } from './holder-change.sql.ts';

interface WaitingRow {
  readonly id: string;
  readonly reseller_id: string;
}

/**
 * Both sides have confirmed: it takes its place among the operations of the name, and is run like any other. Whatever stands in the way (another
 * operation, a lock, other contacts by now) leaves it waiting, and the clockwork tries again until it lapses.
 */
export async function carryOut(house: House, { id, reseller_id: resellerId }: WaitingRow): Promise<void> {
  if (!(await begin(house, id, resellerId))) return;
  house.point('holder-change:after-begin');
  // Nobody waits for the registry here: whoever has clicked has the answer.
  void house.engine.start(id);
}

async function begin(house: House, id: string, resellerId: string): Promise<boolean> {
  try {
    return await house.db.transaction(everyTenant, async (tx) => {
      const operation = await lockOperation(tx, resellerId, id);
      const now = house.clock.now();
      if (!operation?.approval_until || operation.approval_until <= now) return false;
      if (Object.values(operation.approval?.sides ?? { prior: null }).includes(null)) return false;
      if (operation.domain_id) await refuseSecond(tx, operation.domain_id);
      await house.engine.recheck(tx, operation);
      const said = { answer: 'given', by: null, at: now, wall: house.wall.now() } as const;
      await tellAnswer(house, tx, clockworkFor(operation, 'holders'), (await recordAnswer(tx, operation, said))!);
      return true;
    });
  } catch (error) {
    if (error instanceof Refusal || violatedConstraint(error) === 'operation_one_per_domain') return false;
    throw error;
  }
}

const changesAtOnce = 100;
const roundsPerRun = 20;

/** What everybody has confirmed and nobody has begun. */
export async function carryOutConfirmed(house: House): Promise<void> {
  let after = '';
  for (let round = 0; round < roundsPerRun; round++) {
    const page = { after, limit: changesAtOnce };
    const due = await confirmedChanges(house.db.as(everyTenant), house.clock.now(), page);
    for (const waiting of due) await carryOut(house, waiting);
    if (due.length < changesAtOnce) return;
    after = due.at(-1)!.id;
  }
}
