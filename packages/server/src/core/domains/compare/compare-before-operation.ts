import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../../app-context.ts';
import type { Run } from '../../operations/run.ts';
import type { RegistryDomain } from '../../ports/registry.ts';
import { readDomainWithRules } from '../../tables/domain.sql.ts';
import { stateFrom } from '../lifecycle.ts';
import type { Drift } from './drift.sql.ts';
import { alarmDrift, driftOfView, noteDrift } from './note-drift.ts';
import { markCompared } from './reconcile.sql.ts';

/**
 * Compares the view that an operation reads before it sends anything, because its own change could hide earlier differences. Repairs are
 * left to the comparison after the operation. The expiry date is ignored, because the operation may change it.
 */
export async function compareBeforeOperation(run: Run, view: RegistryDomain): Promise<void> {
  const { ctx, operation } = run;
  if (operation.domain_id === null || operation.kind === 'repair') return;
  const first = await differencesOf(ctx, operation.domain_id, view);
  if (first.found.length === 0) return;
  // The view may be older than our last change: a difference counts only if a second read shows it too.
  const again = await run.registry.info(view.name);
  const seen = again.kind === 'done' && again.data?.isOurs ? again.data : undefined;
  const { domain, found } = seen ? await differencesOf(ctx, operation.domain_id, seen) : { ...first, found: [] };
  await ctx.db.transaction(allTenants, async (tx) => {
    if (seen) await noteDrift(ctx, tx, domain, seen, found);
    await markCompared(tx, domain.id, null);
  });
  if (found.length > 0) await alarmDrift(ctx, domain, found);
}

async function differencesOf(ctx: AppContext, domainId: string, view: RegistryDomain) {
  const { domain, rules } = await readDomainWithRules(ctx.db.as(allTenants), domainId);
  if (domain.state !== 'live' || stateFrom(view, domain, rules, ctx.clock.now()).state !== 'live')
    return { domain, found: [] };
  const found = (await driftOfView(ctx, ctx.db.as(allTenants), domain, view, rules))
    .filter((drift) => drift.field !== 'expiry')
    .map((drift): Drift => ({ ...drift, action: 'reported' }));
  return { domain, found };
}
