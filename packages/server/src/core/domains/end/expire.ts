import { addDays, everyTenant } from '@namehold/base';
import { clearAlarm } from '../../alarms/alarm.ts';
import type { House } from '../../house.ts';
import { eachStep, RoundFailed } from '../../jobs/turns.ts';
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
  const follow = async () => {
    const registries = await activeRegistries(house.db.as(everyTenant));
    const followed = await Promise.allSettled(registries.map(({ id }) => followRegistry(house, id)));
    for (const each of followed) if (each.status === 'rejected') throw each.reason;
  };
  await eachStep([() => tellOfDates(house), follow]);
}

/** The names of one registry; one that is silent keeps no other waiting. */
export async function followRegistry(house: House, registryId: string): Promise<void> {
  const looked = await lookAtDue(house, registryId).catch((error: unknown) => ({ isSilent: false, error }));
  const renewed = looked.isSilent ? { held: 'all' as const } : await renewByMode(house, registryId);
  const steps = [
    () => resumePaid(house, registryId),
    () => interruptUnpaid(house, registryId),
    () => (renewed.held === 'all' ? Promise.resolve() : deleteUnpaid(house, registryId, renewed.held)),
    () => tellOfOverdue(house, registryId),
  ];
  const over = async () => {
    for (const key of await paidAlarms(house.db.as(everyTenant), registryId, house.clock.now()))
      await clearAlarm(house, key);
  };
  await eachStep([...(looked.isSilent ? [] : steps), over]);
  for (const each of [looked, renewed]) if ('error' in each) throw each.error;
}

/** Before anything is deleted: what its reseller wants to keep is renewed. Those of which that failed are deleted another time; all, where nothing is known of them. */
async function renewByMode(
  house: House,
  registryId: string,
): Promise<{ readonly held: ReadonlySet<string> | 'all'; readonly error?: unknown }> {
  try {
    await followModes(house, registryId);
    return { held: new Set() };
  } catch (error) {
    return { held: error instanceof RoundFailed ? new Set(error.failures.map(({ id }) => id)) : 'all', error };
  }
}

async function lookAtDue(house: House, registryId: string): Promise<{ readonly isSilent: boolean }> {
  const db = house.db.as(everyTenant);
  let isSilent = false;
  await inBatches(
    house,
    (seen) => dueForALook(db, registryId, house.clock.now(), { seen, limit: namesPerRun }),
    async (domain) => {
      if (isSilent || !house.registries.isReachable(registryId)) return;
      // A registry that does not answer is not asked five hundred times.
      if ((await reconcileDomain(house, domain)).kind === 'unreachable') isSilent = true;
    },
  );
  return { isSilent };
}

/** What the renewal modes of names say, for those whose time has come. */
async function followModes(house: House, registryId: string): Promise<void> {
  await inBatches(
    house,
    () => dueByMode(house.db.as(everyTenant), registryId, house.clock.now(), namesPerRun),
    async (domain) => {
      if (house.registries.isReachable(registryId)) await followMode(house, domain);
    },
  );
}

/** So that no year is paid at the registry that nobody here has bought. */
async function deleteUnpaid(house: House, registryId: string, held: ReadonlySet<string>): Promise<void> {
  const now = house.clock.now();
  const db = house.db.as(everyTenant);
  const by = addDays(now, lifePolicy.deleteBeforeGraceEndDays);
  const refusedSince = new Date(house.wall.now().getTime() - refusedPauseMs);
  await inBatches(
    house,
    (seen) => unpaidInGrace(db, registryId, { now, by, refusedSince }, { seen, limit: namesPerRun }),
    async (domain) => {
      if (held.has(domain.id)) return;
      const due = deletionDue(domain, await rulesOf(db, domain.tld));
      if (!due || due > now || !isRenewedUnpaid(domain.end_date, domain.registry_expires_at)) return;
      if (domain.grace_ends_at! <= now && !domain.kept_until) await keepOverdue(house, domain);
      else await deleteUnwanted(house, domain);
    },
  );
}
