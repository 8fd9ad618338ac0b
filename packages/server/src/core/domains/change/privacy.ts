import { allTenants } from '@namehold/postgres';
import { schedulerFor } from '../../actors.ts';
import type { Actor, AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import { forEachParallel } from '../../jobs/run-items.ts';
import type { Domain } from '../../model/domain.ts';
import { privacyMethodOf, type TldRules } from '../../model/tld.ts';
import { orderUpdate } from './order-update.ts';
import { privacyToSend } from './privacy.sql.ts';

/** Clients match this text. */
export function requirePrivacyOffered(domain: Pick<Domain, 'tld'>, rules: TldRules): void {
  if (privacyMethodOf(rules) !== null) return;
  throw new Refusal('domain_blocked', `privacy protect not available for .${domain.tld} domains`);
}

/** Switches bought privacy on or off: the registry gets the private or the plain handles of the contacts, if it keeps contacts. */
export function switchPrivacy(
  ctx: AppContext,
  actor: Actor,
  domain: string,
  customerId: string | undefined,
  on: boolean,
): Promise<string> {
  return orderUpdate(ctx, actor, {
    domain,
    customerId,
    change: 'privacy',
    wanted(row, rules) {
      requirePrivacyOffered(row, rules);
      if (on && (row.privacy_until === null || row.privacy_until <= ctx.clock.now())) {
        const help = { action: 'buy_privacy', domain: row.id } as const;
        throw new Refusal('conflict', `Privacy protection of ${row.name} is not paid for. Buy it first.`, { help });
      }
      return { privacy: on };
    },
  });
}

const namesPerRun = 100;
/** The delay before the next attempt after a refusal. */
const refusedPauseMs = 6 * 3_600_000;

/** Brings the registries in line with what is paid for: removes expired privacy protection and sets what was bought. */
export async function keepPrivacy(ctx: AppContext): Promise<void> {
  const refusedSince = new Date(ctx.wall.now().getTime() - refusedPauseMs);
  const times = { now: ctx.clock.now(), refusedSince };
  await forEachParallel(ctx, 1, await privacyToSend(ctx.db.as(allTenants), times, namesPerRun), async (due) => {
    const { on, ...domain } = due;
    try {
      const id = await orderUpdate(ctx, schedulerFor(domain, 'sync-privacy'), {
        domain: domain.id,
        customerId: undefined,
        change: 'privacy',
        wanted(row, rules) {
          if (on) requirePrivacyOffered(row, rules);
          return { privacy: on };
        },
      });
      await ctx.engine.start(id);
    } catch (error) {
      // Another operation is open on the domain: the next run tries again.
      if (!(error instanceof Refusal)) throw error;
    }
  });
}
