import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { requestConsent } from './request-consent.ts';
import { settleTarget } from './settle-target.ts';
import { dueTargets, isUnwanted, lockTarget, namesOfTarget } from './target.sql.ts';

const targetsPerRun = 200;

/** One round: sends delayed consent requests, and expires those without an answer in time. Idempotent. */
export async function processMailTargets(ctx: AppContext): Promise<void> {
  for (const { id } of await dueTargets(ctx.db.as(allTenants), ctx.clock.now(), targetsPerRun))
    await ctx.db.transaction(allTenants, async (tx) => {
      const target = await lockTarget(tx, id);
      const now = ctx.clock.now();
      const dueAt = target?.request_due_at ?? target?.lapses_at;
      if (target?.state !== 'waiting' || (dueAt && dueAt > now)) return;
      if (target.lapses_at) return settleTarget(ctx, tx, target, 'lapsed');
      const [confirmationForm] = await namesOfTarget(tx, target, 1);
      if (!confirmationForm) return settleTarget(ctx, tx, target, 'lapsed');
      if (await isUnwanted(ctx.db.as(allTenants), target.address)) return settleTarget(ctx, tx, target, 'stopped');
      const { reseller_id, customer_id } = target;
      await requestConsent(ctx, tx, { ...confirmationForm, reseller_id, customer_id }, target);
    });
}
