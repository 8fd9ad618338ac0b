import { addDays, everyTenant } from '@namehold/base';
import { Refusal } from '../../errors.ts';
import type { House } from '../../house.ts';
import { expiryRuleOf } from '../../policy/expiry-rule.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { expirySettings } from '../../tlds/tld.sql.ts';
import { orderUpdate } from '../change/order-update.ts';
import type { Domain } from '../domain.ts';
import { interruptsAt, lifePolicy } from '../lifecycle.ts';
import { clockworkFor } from '../system-actor.ts';
import { dueForInterruption, dueForResumption } from './expiry.sql.ts';
import { inBatches, namesPerRun } from './in-batches.ts';

/** After a registry refused, so much later. */
const refusedPauseMs = 3_600_000;
const pauseOf = (house: House) => new Date(house.wall.now().getTime() - refusedPauseMs);

/** Names that nobody pays stop to resolve some days before they are deleted, so that whoever uses them notices while it can be helped. */
export async function interruptUnpaid(house: House, registryId: string): Promise<void> {
  const db = house.db.as(everyTenant);
  const now = house.clock.now();
  const lengths = (await expirySettings(db)).map(({ name, ...own }) => ({
    name,
    days: expiryRuleOf(name, own).interruptionDays,
  }));
  const tlds = lengths.filter(({ days }) => days > 0).map(({ name }) => name);
  if (tlds.length === 0) return;
  const longest = Math.max(...lengths.map(({ days }) => days));
  const by = addDays(now, lifePolicy.deleteBeforeGraceEndDays + longest);
  await inBatches(
    house,
    (seen) =>
      dueForInterruption(db, registryId, { now, by, refusedSince: pauseOf(house) }, tlds, { seen, limit: namesPerRun }),
    async (domain) => {
      const at = interruptsAt(domain, await rulesOf(db, domain.tld));
      if (at && at <= now) await switchHold(house, domain, true);
    },
  );
}

/** What a renewal could not lift by itself. */
export async function resumePaid(house: House, registryId: string): Promise<void> {
  const times = () => ({ now: house.clock.now(), refusedSince: pauseOf(house) });
  await inBatches(
    house,
    (seen) => dueForResumption(house.db.as(everyTenant), registryId, times(), { seen, limit: namesPerRun }),
    (domain) => switchHold(house, domain, false),
  );
}

async function switchHold(house: House, domain: Domain, unpaid: boolean): Promise<void> {
  if (!house.registries.isReachable(domain.registry_id)) return;
  try {
    const id = await orderUpdate(house, clockworkFor(domain, 'follow-expiry'), {
      domain: domain.id,
      customerId: undefined,
      change: 'unpaid',
      action: unpaid ? 'suspend' : 'resume',
      wanted(present) {
        const isOver = present.end_date !== null && present.end_date <= house.clock.now();
        if (isOver !== unpaid) throw new Refusal('conflict', `${present.name} now has another expiry date.`);
        return { flags: { unpaid } };
      },
    });
    await house.engine.start(id);
  } catch (error) {
    // Renewed or locked in the meantime, or something else under way: the next round looks again.
    if (!(error instanceof Refusal)) throw error;
  }
}
