import { addDays, everyTenant } from '@namehold/base';
import { clearAlarm, raiseAlarm } from '../../alarms/alarm.ts';
import { Refusal } from '../../errors.ts';
import { appendEvent } from '../../events/append.ts';
import type { House } from '../../house.ts';
import { tellHolder } from '../../notices/tell.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { owedSentence } from '../allowed/flag-reasons.ts';
import type { Domain } from '../domain.ts';
import { lifeEvent } from '../life-event.ts';
import { lifePolicy, owesForGood } from '../lifecycle.ts';
import { countKept, keepUntil } from './expiry.sql.ts';
import { factsOfEnd } from './facts-of-end.ts';

/**
 * Nobody was there to delete it while the registry would have taken its year back (decision 0046). Its reseller could not have renewed it in
 * those days either, so it gets some days more; then it goes like every other that nobody pays.
 */
export async function keepOverdue(house: House, domain: Domain): Promise<void> {
  const now = house.clock.now();
  const kept_until = addDays(now, lifePolicy.overdueDays);
  await house.db.transaction(everyTenant, async (tx) => {
    if (!domain.end_date || !(await keepUntil(tx, domain, { now, until: kept_until }))) return;
    const ending = { ...domain, end_date: domain.end_date, kept_until };
    const facts = await factsOfEnd(house, tx, ending, await rulesOf(tx, domain.tld));
    await tellHolder(house, tx, domain, { kind: 'domain_expired', facts });
    const told = { expired_at: domain.end_date, renew_by: kept_until };
    await appendEvent(house, tx, lifeEvent(domain, 'domain.overdue', told));
  });
}

/** One alarm a registry: how many years it has for good that nobody here has paid. */
export async function tellOfOverdue(house: House, registryId: string): Promise<void> {
  const key = `overdue:${registryId}`;
  const names = await countKept(house.db.as(everyTenant), registryId);
  if (names === 0) return clearAlarm(house, key);
  await raiseAlarm(house, {
    key,
    severity: 'critical',
    sentence: `registry ${registryId} has renewed ${names} unpaid ${names === 1 ? 'name' : 'names'} for good, because nobody deleted them in time: a year each is owed. They are deleted ${lifePolicy.overdueDays} days after that was seen, unless somebody renews them`,
    facts: { registry_id: registryId, names },
  });
}

/** Policy lets a registrar keep a name whose past term is unpaid. */
export function refuseOwed(domain: Pick<Domain, 'name'> & Parameters<typeof owesForGood>[0]): void {
  if (owesForGood(domain)) throw new Refusal('conflict', `${domain.name} ${owedSentence}`);
}

/** It went all the same, by a code that was given out before or by the registry's own clock. */
export async function tellOfLoss(house: House, domain: Domain): Promise<void> {
  if (!owesForGood(domain)) return;
  await raiseAlarm(house, {
    key: `owed:${domain.id}`,
    severity: 'warning',
    sentence: `${domain.name} went to another registrar with a year that its registry has charged and nobody here has paid since ${domain.end_date?.toISOString().slice(0, 10)}`,
    facts: { domain_id: domain.id, reseller_id: domain.reseller_id },
  });
}
