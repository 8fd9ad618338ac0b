import { addDays, allTenants } from '@namehold/base';
import type { AppContext } from '../app-context.ts';
import { orderUpdate } from '../domains/change/order-update.ts';
import { schedulerFor } from '../domains/system-actor.ts';
import { Refusal } from '../errors.ts';
import { eachStep, inTurns } from '../jobs/turns.ts';
import { rulesOf } from '../tlds/rules-of.ts';
import { verificationPolicy, verificationRule } from './policy.ts';
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

/** One round: names that are still to be asked about, reminders, holds of what nobody confirmed, and the end of those that somebody did. Safe to run twice. */
export async function followVerifications(ctx: AppContext): Promise<void> {
  const db = ctx.db.as(allTenants);
  const now = ctx.clock.now();
  await requestQueuedVerifications(ctx);
  const soon = { now, by: addDays(now, verificationPolicy.reminderDays) };
  const each = <T extends { readonly id: string }>(due: readonly T[], work: (domain: T) => Promise<unknown>) =>
    inTurns(ctx, 1, due, async (domain) => void (await work(domain)));
  await eachStep([
    async () => each(await dueForReminder(db, soon, namesPerRun), (domain) => remind(ctx, domain, now)),
    async () => each(await dueForHold(db, now, namesPerRun), (domain) => holdName(ctx, domain, now)),
    async () => each(await dueForRelease(db, now, namesPerRun), (domain) => releaseName(ctx, domain)),
  ]);
}

/** Names of a holder with very many, whose contact was changed: the change itself asked about the first of them. */
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
  const rule = verificationRule(ctx.config, domain.tld, await rulesOf(ctx.db.as(allTenants), domain.tld));
  // Asked, and left at that: the TLD demands no more.
  if (rule?.hold) return switchHold(ctx, domain, true);
  await scheduleVerification(ctx.db.autocommit(allTenants), domain.id, addDays(now, verificationPolicy.linkDays));
}

export const releaseName = (ctx: AppContext, domain: WaitingName): Promise<void> => switchHold(ctx, domain, false);

async function switchHold(ctx: AppContext, domain: WaitingName, unverified: boolean): Promise<void> {
  const again = new Date(ctx.clock.now().getTime() + verificationPolicy.againMs);
  await scheduleVerification(ctx.db.autocommit(allTenants), domain.id, again);
  try {
    const id = await orderUpdate(ctx, schedulerFor(domain, 'verify-holders'), {
      domain: domain.id,
      customerId: undefined,
      change: 'unverified',
      action: unverified ? 'suspend' : 'resume',
      wanted: () => ({ flags: { unverified } }),
    });
    await ctx.engine.start(id);
  } catch (error) {
    // A lock, or something else under way: an hour later then.
    if (!(error instanceof Refusal)) throw error;
  }
}
