import { addDays, everyTenant, formatMoney, type Tx } from '@namehold/base';
import { clearAlarm, raiseAlarm } from '../../alarms/alarm.ts';
import { appendEvent } from '../../events/append.ts';
import type { House } from '../../house.ts';
import { tellHolder } from '../../notices/tell.ts';
import { customerPrice } from '../../pricing/customer-price.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import type { TldRules } from '../../tlds/tld.ts';
import { activeRegistries } from '../compare/poll.sql.ts';
import { reconcileDomain } from '../compare/reconcile.ts';
import type { Domain } from '../domain.ts';
import { lifeEvent } from '../life-event.ts';
import { deletesUnpaidAt, isRenewedUnpaid, lifePolicy, renewBy } from '../lifecycle.ts';
import { followMode } from '../renewal/follow-modes.ts';
import { dueByMode } from '../renewal/renewal.sql.ts';
import { deleteUnwanted } from './delete-unwanted.ts';
import {
  dueForALook,
  type EndingName,
  endingBy,
  markExpiry,
  newlyExpired,
  paidAlarms,
  unpaidInGrace,
} from './expiry.sql.ts';

const namesPerRun = 500;
/** In one round; the next one goes on. */
const batchesPerRun = 20;
/** Names of one registry that are asked about side by side. */
const lanes = 4;
/** After a registry refused the delete of an unpaid name it is not asked again at once. */
const refusedPauseMs = 6 * 3_600_000;

/** One round over all names whose dates have come. Everything here may run twice, or in two processes at once, with one effect. */
export async function followExpiryOnce(house: House): Promise<void> {
  await tellOfDates(house);
  const registries = await activeRegistries(house.db.as(everyTenant));
  await Promise.all(registries.map(({ id }) => followRegistry(house, id)));
}

/** What needs no registry: notices, and that a term is over. */
export async function tellOfDates(house: House): Promise<void> {
  await giveNotice(house);
  await tellExpired(house);
}

/** The names of one registry; one that is silent keeps no other waiting. */
export async function followRegistry(house: House, registryId: string): Promise<void> {
  const db = house.db.as(everyTenant);
  let isSilent = false;
  await inBatches(
    () => dueForALook(db, registryId, house.clock.now(), namesPerRun),
    async (domain) => {
      if (isSilent || !house.registries.isReachable(registryId)) return;
      // A registry that does not answer is not asked five hundred times.
      if ((await reconcileDomain(house, domain)).kind === 'unreachable') isSilent = true;
    },
  );
  if (!isSilent) {
    // Before anything is deleted: what its reseller wants to keep is renewed.
    await followModes(house, registryId);
    await deleteUnpaid(house, registryId);
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

/**
 * One batch after another, so that a round catches up with whatever came due at once; what is still due after its turn is left for the next
 * round.
 */
async function inBatches<T extends { readonly id: string }>(
  read: () => Promise<readonly T[]>,
  work: (thing: T) => Promise<void>,
): Promise<void> {
  const seen = new Set<string>();
  for (let batch = 0; batch < batchesPerRun; batch += 1) {
    const due = await read();
    const fresh = due.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    await atOnce(fresh, work);
    if (fresh.length === 0 || due.length < namesPerRun) return;
  }
}

/** A few side by side: a slow answer holds up a lane, not the round. */
async function atOnce<T>(things: readonly T[], work: (thing: T) => Promise<void>): Promise<void> {
  const queue = [...things];
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

async function giveNotice(house: House): Promise<void> {
  const now = house.clock.now();
  // The nearest first: who comes late hears of seven days, not of thirty and of seven at once.
  const notices = [...lifePolicy.noticeDays].sort((a, b) => a - b);
  for (const [place, days] of notices.entries()) {
    const db = house.db.as(everyTenant);
    await inBatches(
      () => endingBy(db, now, addDays(now, days), `notice-${days}`, namesPerRun),
      async (domain) => {
        const rules = await rulesOf(db, domain.tld);
        await house.db.transaction(everyTenant, async (tx) => {
          let isNew = false;
          for (const wider of notices.slice(place))
            isNew = (await markExpiry(tx, domain, `notice-${wider}`, now)) || isNew;
          if (!isNew) return;
          const facts = { days, expires_at: domain.end_date, renew_by: renewBy(domain, rules) };
          await tellHolder(house, tx, domain, {
            kind: 'domain_expiring',
            facts: { days: String(days), ...(await factsOfEnd(house, tx, domain, rules)) },
          });
          await appendEvent(house, tx, lifeEvent(domain, 'domain.expiring', facts));
        });
      },
    );
  }
}

async function tellExpired(house: House): Promise<void> {
  const now = house.clock.now();
  const db = house.db.as(everyTenant);
  await inBatches(
    () => newlyExpired(db, now, namesPerRun),
    async (domain) => {
      const rules = await rulesOf(db, domain.tld);
      await house.db.transaction(everyTenant, async (tx) => {
        if (!(await markExpiry(tx, domain, 'expired', now))) return;
        const facts = { expired_at: domain.end_date, renew_by: renewBy(domain, rules) };
        await tellHolder(house, tx, domain, {
          kind: 'domain_expired',
          facts: await factsOfEnd(house, tx, domain, rules),
        });
        await appendEvent(house, tx, lifeEvent(domain, 'domain.expired', facts));
      });
    },
  );
}

/** What the holder is told of the end of a term: until when it can be helped, and for how much. */
async function factsOfEnd(house: House, tx: Tx, domain: EndingName, rules: TldRules) {
  const { reseller_id: resellerId, tld, end_date } = domain;
  const priceOf = async (action: 'renew' | 'restore') => {
    // What a premium name costs is the registry's to say when it is asked for.
    if (domain.premium_class !== null) return null;
    const price = await customerPrice(tx, { resellerId, at: house.clock.now(), tld, action });
    return price ? `${formatMoney(price)} ${price.currency}` : null;
  };
  return {
    expires_on: end_date,
    renew_by: renewBy(domain, rules),
    renewal_price: await priceOf('renew'),
    restore_price: rules.grace_days.redemption > 0 ? await priceOf('restore') : null,
  };
}

/** So that no year is paid at the registry that nobody here has bought. */
async function deleteUnpaid(house: House, registryId: string): Promise<void> {
  const now = house.clock.now();
  const db = house.db.as(everyTenant);
  const by = addDays(now, lifePolicy.deleteBeforeGraceEndDays);
  const refusedSince = new Date(house.wall.now().getTime() - refusedPauseMs);
  await inBatches(
    () => unpaidInGrace(db, registryId, { now, by, refusedSince }, namesPerRun),
    async (domain) => {
      const due = deletesUnpaidAt(domain, await rulesOf(db, domain.tld));
      if (!due || due > now || !isRenewedUnpaid(domain.end_date, domain.registry_expires_at)) return;
      if (domain.grace_ends_at! <= now) await tellTooLate(house, domain);
      else await deleteUnwanted(house, domain);
    },
  );
}

async function tellTooLate(house: House, domain: Pick<Domain, 'id' | 'name' | 'end_date'>): Promise<void> {
  await raiseAlarm(house, {
    key: `expiry:${domain.id}`,
    severity: 'critical',
    sentence: `${domain.name} expired on ${domain.end_date?.toISOString()} and its registry has renewed it for good: a year is owed that nobody here has paid`,
    facts: { domain_id: domain.id },
  });
}
