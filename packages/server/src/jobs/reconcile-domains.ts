import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../core/app-context.ts';
import { activeRegistries } from '../core/domains/compare/poll.sql.ts';
import { type Compared, uncompared } from '../core/domains/compare/reconcile.sql.ts';
import { reconcileDomain } from '../core/domains/compare/reconcile.ts';
import { claimRun } from '../core/jobs/job-lease.sql.ts';
import { forEachParallel } from '../core/jobs/run-items.ts';

/** Domains compared per minute; 1,000,000 domains a day need about 700. */
const namesPerRun = 1_000;
const atOnce = 4;
export const reconcileEveryMs = 60_000;
/** Slightly less than the interval, because jobs do not start at an exact time. */
const claimMs = reconcileEveryMs * 0.9;

async function compareSlice(ctx: AppContext, wanted: Compared, minAgeMs: number, limit = namesPerRun): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - minAgeMs);
  const queue = await uncompared(ctx.db.as(allTenants), wanted, before, limit);
  const dead = new Set<string>();
  await forEachParallel(ctx, atOnce, queue, async (domain) => {
    if (dead.has(domain.registry_id) || !ctx.registries.isReachable(domain.registry_id)) return;
    const done = await reconcileDomain(ctx, domain);
    // After this many failures, the rest of a slice skips a registry that does not respond.
    if (done.kind === 'unreachable') dead.add(domain.registry_id);
  });
}

/** Registries without poll messages, each at its own rate. A registry that cannot be opened has its own alarm. */
async function registriesWithoutMessages(ctx: AppContext) {
  const active = await activeRegistries(ctx.db.as(allTenants));
  const opened = await Promise.allSettled(active.map(({ id }) => ctx.registries.of(id)));
  return opened.flatMap((each) => {
    const registry = each.status === 'fulfilled' ? each.value : undefined;
    return registry?.compared ? [{ id: registry.id, ...registry.compared }] : [];
  });
}

/** Compares every domain with its registry, in slices. */
export async function reconcileDomains(ctx: AppContext): Promise<void> {
  const registriesWithoutPoll = await registriesWithoutMessages(ctx);
  const others: Compared = { names: 'all', butOf: registriesWithoutPoll.map(({ id }) => id) };
  await Promise.all([
    compareSlice(ctx, others, ctx.config.compareHours * 3_600_000),
    ...registriesWithoutPoll.map(async ({ id, everyMs, namesPerMinute }) => {
      // The rate per minute applies to all processes together.
      if (!(await claimRun(ctx, `compare:${id}`, claimMs))) return;
      await compareSlice(ctx, { names: 'of', registryId: id }, everyMs, Math.min(namesPerRun, namesPerMinute));
    }),
  ]);
}

export const compareWatched = (ctx: AppContext): Promise<void> =>
  compareSlice(ctx, { names: 'watched' }, ctx.config.watchMinutes * 60_000);
