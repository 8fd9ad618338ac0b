import { everyTenant } from '@namehold/base';
import { uncompared } from '../core/domains/compare/reconcile.sql.ts';
import { reconcileDomain } from '../core/domains/compare/reconcile.ts';
import type { House } from '../core/house.ts';
import { inTurns } from '../core/jobs/turns.ts';
import type { Job } from './clockwork.ts';

/** A slice a minute: 1,000,000 names a day need about 700. */
const namesPerRun = 1_000;
const atOnce = 4;

async function compareSlice(house: House, names: 'all' | 'watched', paceMs: number): Promise<void> {
  const before = new Date(house.clock.now().getTime() - paceMs);
  const queue = await uncompared(house.db.as(everyTenant), names, before, namesPerRun);
  const dead = new Set<string>();
  await inTurns(house, atOnce, queue, async (domain) => {
    if (dead.has(domain.registry_id) || !house.registries.isReachable(domain.registry_id)) return;
    const done = await reconcileDomain(house, domain);
    // A registry that does not answer is not asked a thousand times.
    if (done.kind === 'unreachable') dead.add(domain.registry_id);
  });
}

/** Every name is compared with its registry, a slice at a time. */
export const reconcileDomains: Job = {
  name: 'reconcile-domains',
  everyMs: 60_000,
  run: (house) => compareSlice(house, 'all', house.config.compareHours * 3_600_000),
};

/** Watched names by themselves: a long slice of the others does not keep them waiting. */
export const compareWatched: Job = {
  name: 'compare-watched',
  everyMs: 60_000,
  run: (house) => compareSlice(house, 'watched', house.config.watchMinutes * 60_000),
};
