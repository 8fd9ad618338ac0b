import { everyTenant } from '@namehold/base';
import { activeRegistries } from '../core/domains/compare/poll.sql.ts';
import { type Compared, uncompared } from '../core/domains/compare/reconcile.sql.ts';
import { reconcileDomain } from '../core/domains/compare/reconcile.ts';
import type { House } from '../core/house.ts';
import { takeTurn } from '../core/jobs/job-lease.sql.ts';
import { inTurns } from '../core/jobs/turns.ts';
import type { Job } from './clockwork.ts';

/** A slice a minute: 1,000,000 names a day need about 700. */
const namesPerRun = 1_000;
const atOnce = 4;
const jobMs = 60_000;
/** A little less: nobody comes on the dot. */
const turnMs = jobMs * 0.9;

async function compareSlice(house: House, wanted: Compared, paceMs: number, limit = namesPerRun): Promise<void> {
  const before = new Date(house.clock.now().getTime() - paceMs);
  const queue = await uncompared(house.db.as(everyTenant), wanted, before, limit);
  const dead = new Set<string>();
  await inTurns(house, atOnce, queue, async (domain) => {
    if (dead.has(domain.registry_id) || !house.registries.isReachable(domain.registry_id)) return;
    const done = await reconcileDomain(house, domain);
    // A registry that does not answer is not asked a thousand times.
    if (done.kind === 'unreachable') dead.add(domain.registry_id);
  });
}

/** Registries that send no messages, each with its own pace. One that cannot be opened has an alarm elsewhere. */
async function silentRegistries(house: House) {
  const active = await activeRegistries(house.db.as(everyTenant));
  const opened = await Promise.allSettled(active.map(({ id }) => house.registries.of(id)));
  return opened.flatMap((each) => {
    const registry = each.status === 'fulfilled' ? each.value : undefined;
    return registry?.compared ? [{ id: registry.id, ...registry.compared }] : [];
  });
}

/** Every name is compared with its registry, a slice at a time. */
export const reconcileDomains: Job = {
  name: 'reconcile-domains',
  everyMs: jobMs,
  async run(house) {
    const silent = await silentRegistries(house);
    const others: Compared = { names: 'all', butOf: silent.map(({ id }) => id) };
    await Promise.all([
      compareSlice(house, others, house.config.compareHours * 3_600_000),
      ...silent.map(async ({ id, everyMs, namesPerMinute }) => {
        // So many a minute are for all processes together.
        if (!(await takeTurn(house, `compare:${id}`, turnMs))) return;
        await compareSlice(house, { names: 'of', registryId: id }, everyMs, Math.min(namesPerRun, namesPerMinute));
      }),
    ]);
  },
};

/** Watched names by themselves: a long slice of the others does not keep them waiting. */
export const compareWatched: Job = {
  name: 'compare-watched',
  everyMs: jobMs,
  run: (house) => compareSlice(house, { names: 'watched' }, house.config.watchMinutes * 60_000),
};
