import { allTenants } from '@namehold/base';
import type { AppContext } from '../core/app-context.ts';
import { activeRegistries } from '../core/domains/compare/poll.sql.ts';
import { type Compared, uncompared } from '../core/domains/compare/reconcile.sql.ts';
import { reconcileDomain } from '../core/domains/compare/reconcile.ts';
import { takeTurn } from '../core/jobs/job-lease.sql.ts';
import { inTurns } from '../core/jobs/turns.ts';
import type { Job } from './scheduler.ts';

/** A slice a minute: 1,000,000 names a day need about 700. */
const namesPerRun = 1_000;
const atOnce = 4;
const jobMs = 60_000;
/** A little less: nobody comes on the dot. */
const turnMs = jobMs * 0.9;

async function compareSlice(ctx: AppContext, wanted: Compared, paceMs: number, limit = namesPerRun): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - paceMs);
  const queue = await uncompared(ctx.db.as(allTenants), wanted, before, limit);
  const dead = new Set<string>();
  await inTurns(ctx, atOnce, queue, async (domain) => {
    if (dead.has(domain.registry_id) || !ctx.registries.isReachable(domain.registry_id)) return;
    const done = await reconcileDomain(ctx, domain);
    // A registry that does not answer is not asked a thousand times.
    if (done.kind === 'unreachable') dead.add(domain.registry_id);
  });
}

/** Registries that send no messages, each with its own pace. One that cannot be opened has an alarm elsewhere. */
async function registriesWithoutMessages(ctx: AppContext) {
  const active = await activeRegistries(ctx.db.as(allTenants));
  const opened = await Promise.allSettled(active.map(({ id }) => ctx.registries.of(id)));
  return opened.flatMap((each) => {
    const registry = each.status === 'fulfilled' ? each.value : undefined;
    return registry?.compared ? [{ id: registry.id, ...registry.compared }] : [];
  });
}

/** Every name is compared with its registry, a slice at a time. */
export const reconcileDomains: Job = {
  name: 'reconcile-domains',
  everyMs: jobMs,
  async run(ctx) {
    const registriesWithoutPoll = await registriesWithoutMessages(ctx);
    const others: Compared = { names: 'all', butOf: registriesWithoutPoll.map(({ id }) => id) };
    await Promise.all([
      compareSlice(ctx, others, ctx.config.compareHours * 3_600_000),
      ...registriesWithoutPoll.map(async ({ id, everyMs, namesPerMinute }) => {
        // So many a minute are for all processes together.
        if (!(await takeTurn(ctx, `compare:${id}`, turnMs))) return;
        await compareSlice(ctx, { names: 'of', registryId: id }, everyMs, Math.min(namesPerRun, namesPerMinute));
      }),
    ]);
  },
};

/** Watched names by themselves: a long slice of the others does not keep them waiting. */
export const compareWatched: Job = {
  name: 'compare-watched',
  everyMs: jobMs,
  run: (ctx) => compareSlice(ctx, { names: 'watched' }, ctx.config.watchMinutes * 60_000),
};
