import { addDays } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import { clearAlarm, raiseAlarm } from '../../alarms/alarm.ts';
import type { AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import { forEachParallel } from '../../jobs/run-items.ts';
import { clearHeld, isOrphanAnywhere, openOrphans } from './orphan.sql.ts';

const orphansPerRun = 50;

const keyOf = (registryId: string, name: string): string => `stray:${registryId}:${name}`;

/** The registry holds a domain for us that is not in our database: the operator must find out its origin and who pays for it. */
export async function alarmOrphan(ctx: AppContext, registryId: string, name: string): Promise<void> {
  await raiseAlarm(ctx, {
    key: keyOf(registryId, name),
    severity: 'critical',
    sentence: `registry ${registryId} holds ${name} for us, and it is not in our database: adopt it with \`namehold domain import\`, or delete it there`,
    facts: { registry_id: registryId, name },
  });
}

export const clearOrphan = (ctx: AppContext, registryId: string, name: string): Promise<void> =>
  clearAlarm(ctx, keyOf(registryId, name));

/** A domain that is in the database by now is not orphaned, whatever added it. */
export const clearAdoptedOrphans = (ctx: AppContext): Promise<void> =>
  ctx.db.transaction(allTenants, (tx) => clearHeld(tx, ctx.wall.now()));

/** Queries each once a day: if it was deleted at the registry or has another sponsor, its alarm is cleared. */
export async function updateOrphans(ctx: AppContext): Promise<void> {
  const seenBefore = addDays(ctx.wall.now(), -1);
  const orphans = await openOrphans(ctx.db.as(allTenants), seenBefore, orphansPerRun);
  const named = orphans.map((orphan) => ({ ...orphan, id: orphan.name }));
  await forEachParallel(ctx, 1, named, async ({ registry_id, name }) => {
    if (!ctx.registries.isReachable(registry_id)) return;
    const registry = await ctx.registries.of(registry_id);
    const queryReply = await registry.info(name, { priority: 'background' });
    if (queryReply.kind !== 'done') return;
    if (queryReply.data?.isOurs) await alarmOrphan(ctx, registry_id, name);
    else await clearOrphan(ctx, registry_id, name);
  });
}

/** The registry would refuse an order for it, so it is refused here, before money is held. */
export const orphan = (name: string): Refusal =>
  new Refusal(
    'domain_not_available',
    `${name} is already registered in our registry account, and your provider is investigating it.`,
  );

/** At any registry: it cannot be transferred from one of our accounts to another as an order. */
export async function refuseOrphan(ctx: AppContext, name: string): Promise<void> {
  if (await isOrphanAnywhere(ctx.db.as(allTenants), name)) throw orphan(name);
}
