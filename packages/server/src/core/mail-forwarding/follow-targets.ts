import { everyTenant, type Tx } from '@namehold/base';
import { appendEvent } from '../events/append.ts';
import type { House } from '../house.ts';
import { askOwner } from './ask.ts';
import type { TargetState } from './forward.ts';
import { dueTargets, lockTarget, type MailTarget, namesOfTarget, setTargetState } from './target.sql.ts';

const targetsPerRun = 200;

/** One round: owners who could not be asked at once are, and those who said nothing in time are waited for no longer. Safe to run twice. */
export async function followTargets(house: House): Promise<void> {
  for (const { id } of await dueTargets(house.db.as(everyTenant), house.clock.now(), targetsPerRun))
    await house.db.transaction(everyTenant, async (tx) => {
      const target = await lockTarget(tx, id);
      const now = house.clock.now();
      if (target?.state !== 'waiting' || (target.lapses_at && target.lapses_at > now)) return;
      if (target.lapses_at) return settleTarget(house, tx, target, 'lapsed');
      const [asking] = await namesOfTarget(tx, target, 1);
      if (!asking) return settleTarget(house, tx, target, 'lapsed');
      const { reseller_id, customer_id } = target;
      await askOwner(house, tx, { ...asking, reseller_id, customer_id }, target);
    });
}

const told = {
  confirmed: 'mail_target.confirmed',
  stopped: 'mail_target.stopped',
  lapsed: 'mail_target.lapsed',
  failing: 'mail_target.failing',
} as const;

/** What became of a target, told to its reseller. */
export async function settleTarget(
  house: House,
  tx: Tx,
  target: MailTarget,
  state: Exclude<TargetState, 'waiting'>,
): Promise<void> {
  await setTargetState(tx, target.id, state, house.clock.now());
  await appendEvent(house, tx, {
    resellerId: target.reseller_id,
    type: told[state],
    objectId: target.id,
    payload: { mail_target_id: target.id, customer_id: target.customer_id, address: target.address },
  });
}
