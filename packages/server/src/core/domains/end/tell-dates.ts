import { addDays, everyTenant } from '@namehold/base';
import { appendEvent } from '../../events/append.ts';
import type { House } from '../../house.ts';
import { eachStep } from '../../jobs/turns.ts';
import { tellHolder } from '../../notices/tell.ts';
import { expiryRuleOf } from '../../policy/expiry-rule.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { expirySettings } from '../../tlds/tld.sql.ts';
import { lifeEvent } from '../life-event.ts';
import { renewBy } from '../lifecycle.ts';
import { type EndingName, endingBy, markExpiry, newlyExpired } from './expiry.sql.ts';
import { factsOfEnd } from './facts-of-end.ts';
import { inBatches, namesPerRun } from './in-batches.ts';

/** What needs no registry: notices, and that a term is over. */
export async function tellOfDates(house: House): Promise<void> {
  await eachStep([() => giveNotice(house), () => tellExpired(house)]);
}

const markOf = (days: number): string => `notice-${days}`;

/** The latest date first, and with it every earlier one is done: who comes late hears of seven days, not of thirty and of seven at once. */
async function giveNotice(house: House): Promise<void> {
  const now = house.clock.now();
  const db = house.db.as(everyTenant);
  const settings = await expirySettings(db);
  const daysOf = new Map(settings.map(({ name, ...own }) => [name, expiryRuleOf(name, own).noticeDays]));
  const dates = [...new Set([...daysOf.values()].flat())].sort((a, b) => a - b);
  const steps = dates.map((days) => () => {
    const tlds = [...daysOf.keys()].filter((tld) => daysOf.get(tld)!.includes(days));
    const due = { now, by: addDays(now, days), mark: markOf(days), tlds };
    return inBatches(
      house,
      () => endingBy(db, due, namesPerRun),
      (domain) => notifyOf(house, domain, days, daysOf.get(domain.tld)!),
    );
  });
  await eachStep(steps);
}

async function notifyOf(house: House, domain: EndingName, days: number, all: readonly number[]): Promise<void> {
  const now = house.clock.now();
  const rules = await rulesOf(house.db.as(everyTenant), domain.tld);
  await house.db.transaction(everyTenant, async (tx) => {
    const isNew = await markExpiry(tx, domain, markOf(days), now);
    for (const earlier of all) if (earlier > days) await markExpiry(tx, domain, markOf(earlier), now);
    if (!isNew) return;
    const facts = await factsOfEnd(house, tx, domain, rules);
    if (days <= 0) {
      await tellHolder(house, tx, domain, { kind: 'domain_expired', facts });
      return;
    }
    await tellHolder(house, tx, domain, { kind: 'domain_expiring', facts: { days: String(days), ...facts } });
    const told = { days, expires_at: domain.end_date, renew_by: renewBy(domain, rules) };
    await appendEvent(house, tx, lifeEvent(domain, 'domain.expiring', told));
  });
}

/** The reseller hears of it at once, whenever the holder does. */
async function tellExpired(house: House): Promise<void> {
  const now = house.clock.now();
  const db = house.db.as(everyTenant);
  await inBatches(
    house,
    () => newlyExpired(db, now, namesPerRun),
    async (domain) => {
      const rules = await rulesOf(db, domain.tld);
      await house.db.transaction(everyTenant, async (tx) => {
        if (!(await markExpiry(tx, domain, 'expired', now))) return;
        const facts = { expired_at: domain.end_date, renew_by: renewBy(domain, rules) };
        await appendEvent(house, tx, lifeEvent(domain, 'domain.expired', facts));
      });
    },
  );
}
