import { addDays } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import { schedulerFor } from '../../actors.ts';
import type { AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import type { Domain } from '../../model/domain.ts';
import { expiryRuleOf } from '../../policy/expiry-rule.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { expirySettings } from '../../tlds/tld.sql.ts';
import { orderUpdate } from '../change/order-update.ts';
import { interruptsAt, lifePolicy } from '../lifecycle.ts';
import { dueForInterruption, dueForResumption } from './expiry.sql.ts';
import { inBatches, namesPerRun } from './in-batches.ts';

/** After a refusal by the registry, the next attempt follows after this time. */
const retryAfterMs = 3_600_000;
/** Attempts that were refused since this time are not repeated yet. */
const retryCutoff = (ctx: AppContext) => new Date(ctx.wall.now().getTime() - retryAfterMs);

/** Takes unpaid domains out of the DNS some days before their deletion, so that their users notice while a renewal is still possible. */
export async function interruptUnpaid(ctx: AppContext, registryId: string): Promise<void> {
  const db = ctx.db.as(allTenants);
  const now = ctx.clock.now();
  const lengths = (await expirySettings(db)).map(({ name, ...own }) => ({
    name,
    days: expiryRuleOf(name, own).interruptionDays,
  }));
  const tlds = lengths.filter(({ days }) => days > 0).map(({ name }) => name);
  if (tlds.length === 0) return;
  const longest = Math.max(...lengths.map(({ days }) => days));
  const by = addDays(now, lifePolicy.deleteBeforeGraceEndDays + longest);
  await inBatches(
    ctx,
    (seen) =>
      dueForInterruption(db, registryId, { now, by, refusedSince: retryCutoff(ctx) }, tlds, {
        seen,
        limit: namesPerRun,
      }),
    async (domain) => {
      const at = interruptsAt(domain, await rulesOf(db, domain));
      if (at && at <= now) await switchHold(ctx, domain, true);
    },
  );
}

/** Removes holds that a renewal could not remove. */
export async function resumePaid(ctx: AppContext, registryId: string): Promise<void> {
  const times = () => ({ now: ctx.clock.now(), refusedSince: retryCutoff(ctx) });
  await inBatches(
    ctx,
    (seen) => dueForResumption(ctx.db.as(allTenants), registryId, times(), { seen, limit: namesPerRun }),
    (domain) => switchHold(ctx, domain, false),
  );
}

async function switchHold(ctx: AppContext, domain: Domain, unpaid: boolean): Promise<void> {
  if (!ctx.registries.isReachable(domain.registry_id)) return;
  try {
    const id = await orderUpdate(ctx, schedulerFor(domain, 'process-expiry'), {
      domain: domain.id,
      customerId: undefined,
      change: 'unpaid',
      action: unpaid ? 'suspend' : 'resume',
      wanted(present) {
        const isOver = present.end_date !== null && present.end_date <= ctx.clock.now();
        if (isOver !== unpaid) throw new Refusal('conflict', `${present.name} now has another expiry date.`);
        return { flags: { unpaid } };
      },
    });
    await ctx.engine.start(id);
  } catch (error) {
    // Renewed or locked in the meantime, or another operation is open: the next round tries again.
    if (!(error instanceof Refusal)) throw error;
  }
}
