import { addDays } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import { clearAlarm } from '../../alarms/alarm.ts';
import type { AppContext } from '../../app-context.ts';
import { DeletedReference } from '../../deleted-reference.ts';
import { appendEvent } from '../../events/append.ts';
import { lifeEvent } from '../../events/life-event.ts';
import { forEachParallel } from '../../jobs/run-items.ts';
import type { Domain } from '../../model/domain.ts';
import type { RegistryDomain } from '../../ports/registry.ts';
import { readDomain } from '../../tables/domain.sql.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { lifePolicy } from '../lifecycle.ts';
import { paidBefore } from './import.sql.ts';
import { chargedText } from './import.ts';
import { bringBack, missingDomains, noteQueried } from './missing.sql.ts';
import { alarmOrphan } from './orphan.ts';
import { applyView } from './sync.ts';

const namesPerRun = 200;

/**
 * Queries once a day the domains that disappeared without a reason. If the same registration is shown again, the domain is restored
 * here.
 */
export async function findMissingDomains(ctx: AppContext): Promise<void> {
  const now = ctx.clock.now();
  const times = { removedSince: addDays(now, -lifePolicy.searchMissingDays), queriedBefore: addDays(now, -1) };
  await forEachParallel(ctx, 1, await missingDomains(ctx.db.as(allTenants), times, namesPerRun), async (domain) => {
    if (!ctx.registries.isReachable(domain.registry_id)) return;
    const registry = await ctx.registries.of(domain.registry_id);
    const queryReply = await registry.info(domain.name, { priority: 'background' });
    if (queryReply.kind !== 'done') return;
    const view = queryReply.data;
    if (view?.isOurs && isSame(domain, view) && (await restoreFound(ctx, domain, view).catch(ownerless)) !== undefined)
      return;
    if (view?.isOurs) await alarmOrphan(ctx, domain.registry_id, domain.name);
    await ctx.db.transaction(allTenants, (tx) => noteQueried(tx, domain.id, now));
  });
}

/** Its customer was deleted in the meantime: the operator decides which customer gets it. */
function ownerless(error: unknown): undefined {
  if (!(error instanceof DeletedReference)) throw error;
}

/** RFC 5731 3.1.2: a domain that was registered again has another creation date. */
const isSame = (domain: Domain, view: RegistryDomain): boolean =>
  domain.registry_created_at !== null && view.createdAt?.getTime() === domain.registry_created_at.getTime();

/** Restores a tombstone on request if the registry shows the same registration, and returns what was paid for it; otherwise undefined. */
export async function restoreToAccount(ctx: AppContext, domainId: string): Promise<string | undefined> {
  const db = ctx.db.as(allTenants);
  const domain = await readDomain(db, domainId);
  const queryReply = await (await ctx.registries.of(domain.registry_id)).info(domain.name, { priority: 'background' });
  const view = queryReply.kind === 'done' ? queryReply.data : null;
  if (!view?.isOurs || !isSame(domain, view) || !(await restoreFound(ctx, domain, view))) return undefined;
  return chargedText(await paidBefore(db, domain.name, view.createdAt));
}

async function restoreFound(ctx: AppContext, domain: Domain, view: RegistryDomain): Promise<boolean> {
  const isBack = await ctx.db.transaction(allTenants, async (tx) => {
    if (!(await bringBack(tx, domain.id, 'live', ctx.clock.now()))) return false;
    const alive = { ...domain, state: 'live' as const, removed_reason: null, removed_at: null, missing_since: null };
    await applyView(ctx, tx, alive, view, await rulesOf(tx, domain));
    await appendEvent(
      ctx,
      tx,
      lifeEvent(domain, 'domain.found_again', { expires_at: view.expiresAt?.toISOString() ?? null }),
    );
    return true;
  });
  if (isBack) await clearAlarm(ctx, `missing:${domain.id}`);
  return isBack;
}
