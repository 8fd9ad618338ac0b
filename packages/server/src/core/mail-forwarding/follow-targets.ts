import { everyTenant } from '@namehold/base';
import type { House } from '../house.ts';
import { askOwner } from './ask.ts';
import { settleTarget } from './settle-target.ts';
import { dueTargets, isUnwanted, lockTarget, namesOfTarget } from './target.sql.ts';

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
      if (await isUnwanted(house.db.as(everyTenant), target.address)) return settleTarget(house, tx, target, 'stopped');
      const { reseller_id, customer_id } = target;
      await askOwner(house, tx, { ...asking, reseller_id, customer_id }, target);
    });
}
