import { addDays, everyTenant } from '@namehold/base';
import { clearAlarm } from '../../alarms/alarm.ts';
import type { House } from '../../house.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { activeRegistries } from '../compare/poll.sql.ts';
import { reconcileDomain } from '../compare/reconcile.ts';
import { deletionDue, isRenewedUnpaid, lifePolicy } from '../lifecycle.ts';
import { followMode } from '../renewal/follow-modes.ts';
import { dueByMode } from '../renewal/renewal.sql.ts';
import { deleteUnwanted } from './delete-unwanted.ts';
import { dueForALook, paidAlarms, unpaidInGrace } from './expiry.sql.ts';
import { inBatches, namesPerRun } from './in-batches.ts';
import { interruptUnpaid, resumePaid } from './interrupt.ts';
import { keepOverdue, tellOfOverdue } from './overdue.ts';
import { tellOfDates } from './tell-dates.ts';

/** After a registry refused the delete of an unpaid name it is not asked again at once. */
const refusedPauseMs = 6 * 3_600_000;

/** One round over all names whose dates have come. Everything here may run twice, or in two processes at once, with one effect. */
export async function followExpiryOnce(house: House): Promise<void> {
  await tellOfDates(house);
  const registries = await activeRegistries(house.db.as(everyTenant));
  await Promise.all(registries.map(({ id }) => followRegistry(house, id)));
}

/** The names of one registry; one that is silent keeps no other waiting. */
export async function followRegistry(house: House, registryId: string): Promise<void> {
  const db = house.db.as(everyTenant);
  let isSilent = false;
  await inBatches(
    (seen) => dueForALook(db, registryId, house.clock.now(), { seen, limit: namesPerRun }),
    async (domain) => {
      if (isSilent || !house.registries.isReachable(registryId)) return;
      // A registry that does not answer is not asked five hundred times.
      if ((await reconcileDomain(house, domain)).kind === 'unreachable') isSilent = true;
    },
  );
  if (!isSilent) {
    // Before anything is deleted: what its reseller wants to keep is renewed.
    await followModes(house, registryId);
    await resumePaid(house, registryId);
    await interruptUnpaid(house, registryId);
    await deleteUnpaid(house, registryId);
    await tellOfOverdue(house, registryId);
  }
  for (const key of await paidAlarms(db, registryId, house.clock.now())) await clearAlarm(house, key);
}

/** What the renewal modes of names say, for those whose time has come. */
async function followModes(house: House, registryId: string): Promise<void> {
  await inBatches(
    () => dueByMode(house.db.as(everyTenant), registryId, house.clock.now(), namesPerRun),
    async (domain) => {
      if (house.registries.isReachable(registryId)) await followMode(house, domain);
    },
  );
}

/** So that no year is paid at the registry that nobody here has bought. */
async function deleteUnpaid(house: House, registryId: string): Promise<void> {
  const now = house.clock.now();
  const db = house.db.as(everyTenant);
  const by = addDays(now, lifePolicy.deleteBeforeGraceEndDays);
  const refusedSince = new Date(house.wall.now().getTime() - refusedPauseMs);
  await inBatches(
    (seen) => unpaidInGrace(db, registryId, { now, by, refusedSince }, { seen, limit: namesPerRun }),
    async (domain) => {
      const due = deletionDue(domain, await rulesOf(db, domain.tld));
      if (!due || due > now || !isRenewedUnpaid(domain.end_date, domain.registry_expires_at)) return;
      if (domain.grace_ends_at! <= now && !domain.kept_until) await keepOverdue(house, domain);
      else await deleteUnwanted(house, domain);
    },
  );
}
