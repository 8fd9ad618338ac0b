import { addDays } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import { schedulerFor } from '../actors.ts';
import type { AppContext } from '../app-context.ts';
import { orderUpdate } from '../domains/change/order-update.ts';
import { Refusal } from '../errors.ts';
import { forEachParallel, runSteps } from '../jobs/run-items.ts';
import { verificationPolicy, verificationRule } from '../policy/verification.ts';
import { rulesOf } from '../tlds/rules-of.ts';
import { remindRegistrant, requestVerification } from './request-verification.ts';
import {
  type DueName,
  dueForHold,
  dueForRelease,
  dueForReminder,
  markReminded,
  queuedVerifications,
  scheduleVerification,
  takeQueuedVerification,
  type WaitingName,
} from './verification.sql.ts';

const namesPerRun = 200;
const slicesPerRun = 20;

/**
 * One run: domains still to be verified, reminders, holds of unconfirmed domains, and the end of holds of confirmed ones. Safe to run
 * twice.
 */
export async function processVerifications(ctx: AppContext): Promise<void> {
  const db = ctx.db.as(allTenants);
  const now = ctx.clock.now();
  await requestQueuedVerifications(ctx);
  const soon = { now, by: addDays(now, verificationPolicy.reminderDays) };
  const each = <T extends { readonly id: string }>(due: readonly T[], work: (domain: T) => Promise<unknown>) =>
    forEachParallel(ctx, 1, due, async (domain) => void (await work(domain)));
  await runSteps([
    async () => each(await dueForReminder(db, soon, namesPerRun), (domain) => remind(ctx, domain, now)),
    async () => each(await dueForHold(db, now, namesPerRun), (domain) => holdName(ctx, domain, now)),
    async () => each(await dueForRelease(db, now, namesPerRun), (domain) => releaseName(ctx, domain)),
  ]);
}

/** Domains of a registrant with very many, whose contact was changed: the change itself sent the mails for the first of them. */
async function requestQueuedVerifications(ctx: AppContext): Promise<void> {
  for (let slice = 0; slice < slicesPerRun; slice++) {
    const owed = await queuedVerifications(ctx.db.as(allTenants), namesPerRun);
    for (const { id } of owed)
      await ctx.db.transaction(allTenants, async (tx) => {
        const domain = await takeQueuedVerification(tx, id);
        if (domain) await requestVerification(ctx, tx, domain, 'change');
      });
    if (owed.length < namesPerRun) return;
  }
}

async function remind(ctx: AppContext, domain: DueName, now: Date): Promise<void> {
  await ctx.db.transaction(allTenants, async (tx) => {
    if (await markReminded(tx, domain.id, now)) await remindRegistrant(ctx, tx, domain, 'holder_verification');
  });
}

async function holdName(ctx: AppContext, domain: DueName, now: Date): Promise<void> {
  const rule = verificationRule(ctx.config, domain.tld, await rulesOf(ctx.db.as(allTenants), domain));
  // The mail was sent, and the TLD requires nothing more.
  if (rule?.hold) return switchHold(ctx, domain, true);
  await scheduleVerification(ctx.db.autocommit(allTenants), domain.id, addDays(now, verificationPolicy.linkDays));
}

export const releaseName = (ctx: AppContext, domain: WaitingName): Promise<void> => switchHold(ctx, domain, false);

async function switchHold(ctx: AppContext, domain: WaitingName, unverified: boolean): Promise<void> {
  const again = new Date(ctx.clock.now().getTime() + verificationPolicy.againMs);
  await scheduleVerification(ctx.db.autocommit(allTenants), domain.id, again);
  try {
    const id = await orderUpdate(ctx, schedulerFor(domain, 'verify-registrants'), {
      domain: domain.id,
      customerId: undefined,
      change: 'unverified',
      action: unverified ? 'suspend' : 'resume',
      wanted: () => ({ flags: { unverified } }),
    });
    await ctx.engine.start(id);
  } catch (error) {
    // A lock or another open operation: tried again an hour later.
    if (!(error instanceof Refusal)) throw error;
  }
}
