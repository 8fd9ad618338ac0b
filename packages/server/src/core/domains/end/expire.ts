import { addDays } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import { clearAlarm } from '../../alarms/alarm.ts';
import type { AppContext } from '../../app-context.ts';
import { RunFailed, runSteps } from '../../jobs/run-items.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { activeRegistries } from '../compare/poll.sql.ts';
import { reconcileDomain } from '../compare/reconcile.ts';
import { deletionDue, isRenewedUnpaid, lifePolicy } from '../lifecycle.ts';
import { applyRenewalMode } from '../renewal/apply-renewal-mode.ts';
import { dueByMode } from '../renewal/renewal.sql.ts';
import { deleteUnwanted } from './delete-unwanted.ts';
import { dueForCheck, paidAlarms, unpaidInGrace } from './expiry.sql.ts';
import { sendExpiryReminders } from './expiry-reminders.ts';
import { inBatches, namesPerRun } from './in-batches.ts';
import { interruptUnpaid, resumePaid } from './interrupt.ts';
import { emitOverdue, keepOverdue } from './overdue.ts';

/** Pause before the next delete of an unpaid domain that the registry refused. */
const refusedPauseMs = 6 * 3_600_000;

/** One round over all domains with a due date. Every step is idempotent, also if two processes run it at once. */
export async function processExpiryOnce(ctx: AppContext): Promise<void> {
  const follow = async () => {
    const registries = await activeRegistries(ctx.db.as(allTenants));
    const followed = await Promise.allSettled(registries.map(({ id }) => processRegistry(ctx, id)));
    for (const each of followed) if (each.status === 'rejected') throw each.reason;
  };
  await runSteps([() => sendExpiryReminders(ctx), follow]);
}

/** The domains of one registry. A registry that does not answer does not delay the others. */
export async function processRegistry(ctx: AppContext, registryId: string): Promise<void> {
  const checked = await checkDue(ctx, registryId).catch((error: unknown) => ({ isUnreachable: false, error }));
  const renewed = checked.isUnreachable ? { held: 'all' as const } : await renewByMode(ctx, registryId);
  const steps = [
    () => resumePaid(ctx, registryId),
    () => interruptUnpaid(ctx, registryId),
    () => (renewed.held === 'all' ? Promise.resolve() : deleteUnpaid(ctx, registryId, renewed.held)),
    () => emitOverdue(ctx, registryId),
  ];
  const over = async () => {
    for (const key of await paidAlarms(ctx.db.as(allTenants), registryId, ctx.clock.now())) await clearAlarm(ctx, key);
  };
  await runSteps([...(checked.isUnreachable ? [] : steps), over]);
  for (const each of [checked, renewed]) if ('error' in each) throw each.error;
}

/**
 * Runs before anything is deleted, so that domains to be renewed are renewed. Domains whose renewal failed are not deleted in this
 * round; none is if that is not known.
 */
async function renewByMode(
  ctx: AppContext,
  registryId: string,
): Promise<{ readonly held: ReadonlySet<string> | 'all'; readonly error?: unknown }> {
  try {
    await applyRenewalModes(ctx, registryId);
    return { held: new Set() };
  } catch (error) {
    return { held: error instanceof RunFailed ? new Set(error.failures.map(({ id }) => id)) : 'all', error };
  }
}

async function checkDue(ctx: AppContext, registryId: string): Promise<{ readonly isUnreachable: boolean }> {
  const db = ctx.db.as(allTenants);
  let isUnreachable = false;
  await inBatches(
    ctx,
    (seen) => dueForCheck(db, registryId, ctx.clock.now(), { seen, limit: namesPerRun }),
    async (domain) => {
      if (isUnreachable || !ctx.registries.isReachable(registryId)) return;
      // A registry that does not answer is not queried again for every other domain.
      if ((await reconcileDomain(ctx, domain)).kind === 'unreachable') isUnreachable = true;
    },
  );
  return { isUnreachable };
}

/** Applies the renewal modes of domains that are due. */
async function applyRenewalModes(ctx: AppContext, registryId: string): Promise<void> {
  await inBatches(
    ctx,
    () => dueByMode(ctx.db.as(allTenants), registryId, ctx.clock.now(), namesPerRun),
    async (domain) => {
      if (ctx.registries.isReachable(registryId)) await applyRenewalMode(ctx, domain);
    },
  );
}

/** So that the registry does not charge an auto-renewal that was not ordered. */
async function deleteUnpaid(ctx: AppContext, registryId: string, held: ReadonlySet<string>): Promise<void> {
  const now = ctx.clock.now();
  const db = ctx.db.as(allTenants);
  const by = addDays(now, lifePolicy.deleteBeforeGraceEndDays);
  const refusedSince = new Date(ctx.wall.now().getTime() - refusedPauseMs);
  await inBatches(
    ctx,
    (seen) => unpaidInGrace(db, registryId, { now, by, refusedSince }, { seen, limit: namesPerRun }),
    async (domain) => {
      if (held.has(domain.id)) return;
      const due = deletionDue(domain, await rulesOf(db, domain));
      if (!due || due > now || !isRenewedUnpaid(domain.end_date, domain.registry_expires_at)) return;
      if (domain.grace_ends_at! <= now && !domain.kept_until) await keepOverdue(ctx, domain);
      else await deleteUnwanted(ctx, domain);
    },
  );
}
