import { setTimeout as sleep } from 'node:timers/promises';
import { everyTenant } from '@namehold/base';
import { findLostNames } from '../core/domains/compare/find-lost.ts';
import { activeRegistries } from '../core/domains/compare/poll.sql.ts';
import { followStrays } from '../core/domains/compare/stray.ts';
import { followRegistry } from '../core/domains/end/expire.ts';
import { tellOfDates } from '../core/domains/end/tell-dates.ts';
import type { House } from '../core/house.ts';
import { type Job, notWhole } from './clockwork.ts';

/** A registry that takes longer goes on by itself; the next round does not wait for it. */
const patienceMs = 10_000;
const following = new WeakMap<House, Map<string, Promise<void>>>();

function follow(house: House, registryId: string): Promise<void> {
  const runs = following.get(house) ?? new Map<string, Promise<void>>();
  following.set(house, runs);
  let run = runs.get(registryId);
  if (!run) {
    run = followRegistry(house, registryId)
      .catch((error: unknown) =>
        house.log.error({ err: error, registry_id: registryId }, 'the names of a registry could not be followed'),
      )
      .finally(() => runs.delete(registryId));
    runs.set(registryId, run);
  }
  return run;
}

/** Follows the dates of the registries: notices, expiry, the delete of what nobody renewed, and the end. */
export const followExpiry: Job = {
  name: 'follow-expiry',
  everyMs: 30_000,
  async run(house) {
    const told = await Promise.allSettled([tellOfDates(house)]);
    const registries = await activeRegistries(house.db.as(everyTenant));
    const all = Promise.all(registries.map(({ id }) => follow(house, id)));
    const patience = new AbortController();
    const isWhole = await Promise.race([
      all.then(() => true),
      sleep(patienceMs, false, { ref: false, signal: patience.signal }).catch(() => false),
    ]);
    patience.abort();
    for (const each of told) if (each.status === 'rejected') throw each.reason;
    return isWhole ? undefined : notWhole;
  },
};

/** Once a day each: names that went without a reason, and those that came without one. */
export const findLost: Job = {
  name: 'find-lost-names',
  everyMs: 300_000,
  async run(house) {
    await findLostNames(house);
    await followStrays(house);
  },
};
