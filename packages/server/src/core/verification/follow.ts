import { addDays, everyTenant } from '@namehold/base';
import { orderUpdate } from '../domains/change/order-update.ts';
import { clockworkFor } from '../domains/system-actor.ts';
import { Refusal } from '../errors.ts';
import type { House } from '../house.ts';
import { eachStep, inTurns } from '../jobs/turns.ts';
import { rulesOf } from '../tlds/rules-of.ts';
import { askHolder, writeToHolder } from './ask.ts';
import { verificationPolicy, verificationRule } from './policy.ts';
import {
  type DueName,
  dueForHold,
  dueForRelease,
  dueForReminder,
  lookAgainAt,
  markReminded,
  owedAskings,
  takeOwedAsking,
  type WaitingName,
} from './verification.sql.ts';

const namesPerRun = 200;
const slicesPerRun = 20;

/** One round: names that are still to be asked about, reminders, holds of what nobody confirmed, and the end of those that somebody did. Safe to run twice. */
export async function followVerifications(house: House): Promise<void> {
  const db = house.db.as(everyTenant);
  const now = house.clock.now();
  await askOwed(house);
  const soon = { now, by: addDays(now, verificationPolicy.reminderDays) };
  const each = <T extends { readonly id: string }>(due: readonly T[], work: (domain: T) => Promise<unknown>) =>
    inTurns(house, 1, due, async (domain) => void (await work(domain)));
  await eachStep([
    async () => each(await dueForReminder(db, soon, namesPerRun), (domain) => remind(house, domain, now)),
    async () => each(await dueForHold(db, now, namesPerRun), (domain) => holdName(house, domain, now)),
    async () => each(await dueForRelease(db, now, namesPerRun), (domain) => releaseName(house, domain)),
  ]);
}

/** Names of a holder with very many, whose contact was changed: the change itself asked about the first of them. */
async function askOwed(house: House): Promise<void> {
  for (let slice = 0; slice < slicesPerRun; slice++) {
    const owed = await owedAskings(house.db.as(everyTenant), namesPerRun);
    for (const { id } of owed)
      await house.db.transaction(everyTenant, async (tx) => {
        const domain = await takeOwedAsking(tx, id);
        if (domain) await askHolder(house, tx, domain, 'change');
      });
    if (owed.length < namesPerRun) return;
  }
}

async function remind(house: House, domain: DueName, now: Date): Promise<void> {
  await house.db.transaction(everyTenant, async (tx) => {
    if (await markReminded(tx, domain.id, now)) await writeToHolder(house, tx, domain, 'holder_verification');
  });
}

async function holdName(house: House, domain: DueName, now: Date): Promise<void> {
  const rule = verificationRule(house.config, domain.tld, await rulesOf(house.db.as(everyTenant), domain.tld));
  // Asked, and left at that: the TLD demands no more.
  if (rule?.hold) return switchHold(house, domain, true);
  await lookAgainAt(house.db.alone(everyTenant), domain.id, addDays(now, verificationPolicy.linkDays));
}

export const releaseName = (house: House, domain: WaitingName): Promise<void> => switchHold(house, domain, false);

async function switchHold(house: House, domain: WaitingName, unverified: boolean): Promise<void> {
  const again = new Date(house.clock.now().getTime() + verificationPolicy.againMs);
  await lookAgainAt(house.db.alone(everyTenant), domain.id, again);
  try {
    const id = await orderUpdate(house, clockworkFor(domain, 'verify-holders'), {
      domain: domain.id,
      customerId: undefined,
      change: 'unverified',
      action: unverified ? 'suspend' : 'resume',
      wanted: () => ({ flags: { unverified } }),
    });
    await house.engine.start(id);
  } catch (error) {
    // A lock, or something else under way: an hour later then.
    if (!(error instanceof Refusal)) throw error;
  }
}
