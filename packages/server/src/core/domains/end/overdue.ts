import { addDays, allTenants } from '@namehold/base';
import { clearAlarm, raiseAlarm } from '../../alarms/alarm.ts';
import type { AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import { appendEvent } from '../../events/append.ts';
import { notifyRegistrant } from '../../notices/notify-recipients.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { owedSentence } from '../allowed/flag-reasons.ts';
import type { Domain } from '../domain.ts';
import { lifeEvent } from '../life-event.ts';
import { lifePolicy, owesFinalRenewal } from '../lifecycle.ts';
import { countKept, keepUntil } from './expiry.sql.ts';
import { factsOfEnd } from './facts-of-end.ts';

/**
 * Nobody was there to delete it while the registry would have taken its year back (decision 0046). Its reseller could not have renewed it in
 * those days either, so it gets some days more; then it goes like every other that nobody pays.
 */
export async function keepOverdue(ctx: AppContext, domain: Domain): Promise<void> {
  const now = ctx.clock.now();
  const kept_until = addDays(now, lifePolicy.overdueDays);
  await ctx.db.transaction(allTenants, async (tx) => {
    if (!domain.end_date || !(await keepUntil(tx, domain, { now, until: kept_until }))) return;
    const ending = { ...domain, end_date: domain.end_date, kept_until };
    const facts = await factsOfEnd(ctx, tx, ending, await rulesOf(tx, domain.tld));
    await notifyRegistrant(ctx, tx, domain, { kind: 'domain_expired', facts });
    const eventFacts = { expired_at: domain.end_date, renew_by: kept_until };
    await appendEvent(ctx, tx, lifeEvent(domain, 'domain.overdue', eventFacts));
  });
}

/** One alarm a registry: how many years it has for good that nobody here has paid. */
export async function emitOverdue(ctx: AppContext, registryId: string): Promise<void> {
  const key = `overdue:${registryId}`;
  const names = await countKept(ctx.db.as(allTenants), registryId);
  if (names === 0) return clearAlarm(ctx, key);
  await raiseAlarm(ctx, {
    key,
    severity: 'critical',
    sentence: `registry ${registryId} has renewed ${names} unpaid ${names === 1 ? 'name' : 'names'} for good, because nobody deleted them in time: a year each is owed. They are deleted ${lifePolicy.overdueDays} days after that was seen, unless somebody renews them`,
    facts: { registry_id: registryId, names },
  });
}

/** Policy lets a registrar keep a name whose past term is unpaid. */
export function refuseUnpaidRenewal(domain: Pick<Domain, 'name'> & Parameters<typeof owesFinalRenewal>[0]): void {
  if (owesFinalRenewal(domain)) throw new Refusal('conflict', `${domain.name} ${owedSentence}`);
}

/** It went all the same, by a code that was given out before or by the registry's own clock. */
export async function emitLoss(ctx: AppContext, domain: Domain): Promise<void> {
  if (!owesFinalRenewal(domain)) return;
  await raiseAlarm(ctx, {
    key: `owed:${domain.id}`,
    severity: 'warning',
    sentence: `${domain.name} went to another registrar with a year that its registry has charged and nobody here has paid since ${domain.end_date?.toISOString().slice(0, 10)}`,
    facts: { domain_id: domain.id, reseller_id: domain.reseller_id },
  });
}
