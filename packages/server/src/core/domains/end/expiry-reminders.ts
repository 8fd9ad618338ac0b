import { addDays, dayMs } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../../app-context.ts';
import { appendEvent } from '../../events/append.ts';
import { lifeEvent } from '../../events/life-event.ts';
import { runSteps } from '../../jobs/run-items.ts';
import { notifyRegistrant } from '../../notices/notify-recipients.ts';
import { expiryRuleOf } from '../../policy/expiry-rule.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { expirySettings } from '../../tlds/tld.sql.ts';
import { renewalDue, renewBy } from '../lifecycle.ts';
import { type EndingName, endingBy, markExpiry, newlyExpired } from './expiry.sql.ts';
import { factsOfEnd } from './facts-of-end.ts';
import { inBatches, namesPerRun } from './in-batches.ts';

/** The steps without a registry: reminders and expiry events. */
export async function sendExpiryReminders(ctx: AppContext): Promise<void> {
  await runSteps([() => giveNotice(ctx), () => emitExpired(ctx)]);
}

const markOf = (days: number): string => `notice-${days}`;

/** Starts with the latest date and marks all earlier ones as sent, so that a delayed run sends one reminder, not several. */
async function giveNotice(ctx: AppContext): Promise<void> {
  const now = ctx.clock.now();
  const db = ctx.db.as(allTenants);
  const settings = await expirySettings(db);
  const daysOf = new Map(settings.map(({ name, ...own }) => [name, expiryRuleOf(name, own).noticeDays]));
  const dates = [...new Set([...daysOf.values()].flat())].sort((a, b) => a - b);
  const steps = dates.map((days) => () => {
    const tlds = [...daysOf.keys()].filter((tld) => daysOf.get(tld)!.includes(days));
    const due = { now, by: addDays(now, days), mark: markOf(days), tlds };
    return inBatches(
      ctx,
      () => endingBy(db, due, namesPerRun),
      (domain) => notifyOf(ctx, domain, days, daysOf.get(domain.tld)!),
    );
  });
  await runSteps(steps);
}

async function notifyOf(ctx: AppContext, domain: EndingName, days: number, all: readonly number[]): Promise<void> {
  const now = ctx.clock.now();
  const rules = await rulesOf(ctx.db.as(allTenants), domain);
  await ctx.db.transaction(allTenants, async (tx) => {
    const isNew = await markExpiry(tx, domain, markOf(days), now);
    for (const earlier of all) if (earlier > days) await markExpiry(tx, domain, markOf(earlier), now);
    if (!isNew) return;
    const facts = await factsOfEnd(ctx, tx, domain, rules);
    if (days <= 0) {
      await notifyRegistrant(ctx, tx, domain, { kind: 'domain_expired', facts });
      return;
    }
    // Before the registry's earlier date, more days are left until the end of the term.
    const isEarlier = renewalDue(domain, domain.end_date) < domain.end_date;
    const left = isEarlier ? Math.ceil((domain.end_date.getTime() - now.getTime()) / dayMs) : days;
    await notifyRegistrant(ctx, tx, domain, { kind: 'domain_expiring', facts: { days: String(left), ...facts } });
    const eventFacts = { days: left, expires_at: domain.end_date, renew_by: renewBy(domain, rules) };
    await appendEvent(ctx, tx, lifeEvent(domain, 'domain.expiring', eventFacts));
  });
}

/** The reseller gets the event at once, independently of the registrant's reminder dates. */
async function emitExpired(ctx: AppContext): Promise<void> {
  const now = ctx.clock.now();
  const db = ctx.db.as(allTenants);
  await inBatches(
    ctx,
    () => newlyExpired(db, now, namesPerRun),
    async (domain) => {
      const rules = await rulesOf(db, domain);
      await ctx.db.transaction(allTenants, async (tx) => {
        if (!(await markExpiry(tx, domain, 'expired', now))) return;
        const facts = { expired_at: domain.end_date, renew_by: renewBy(domain, rules) };
        await appendEvent(ctx, tx, lifeEvent(domain, 'domain.expired', facts));
      });
    },
  );
}
