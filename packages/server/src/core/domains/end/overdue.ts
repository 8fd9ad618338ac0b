import { addDays } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import { clearAlarm, raiseAlarm } from '../../alarms/alarm.ts';
import type { AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import { appendEvent } from '../../events/append.ts';
import { lifeEvent } from '../../events/life-event.ts';
import type { Domain } from '../../model/domain.ts';
import { notifyRegistrant } from '../../notices/notify-recipients.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { owedSentence } from '../allowed/flag-reasons.ts';
import { lifePolicy, owesFinalRenewal } from '../lifecycle.ts';
import { countKept, keepUntil } from './expiry.sql.ts';
import { factsOfEnd } from './facts-of-end.ts';

/**
 * The service did not run while the registry would have taken its year back (decision 0046). Its reseller could not renew the domain in
 * those days either, so it gets some more days; then it is deleted like every other unpaid domain.
 */
export async function keepOverdue(ctx: AppContext, domain: Domain): Promise<void> {
  const now = ctx.clock.now();
  const kept_until = addDays(now, lifePolicy.overdueDays);
  await ctx.db.transaction(allTenants, async (tx) => {
    if (!domain.end_date || !(await keepUntil(tx, domain, { now, until: kept_until }))) return;
    const ending = { ...domain, end_date: domain.end_date, kept_until };
    const facts = await factsOfEnd(ctx, tx, ending, await rulesOf(tx, domain));
    await notifyRegistrant(ctx, tx, domain, { kind: 'domain_expired', facts });
    const eventFacts = { expired_at: domain.end_date, renew_by: kept_until };
    await appendEvent(ctx, tx, lifeEvent(domain, 'domain.overdue', eventFacts));
  });
}

/** One alarm per registry: the number of permanent years that are not paid. */
export async function emitOverdue(ctx: AppContext, registryId: string): Promise<void> {
  const key = `overdue:${registryId}`;
  const names = await countKept(ctx.db.as(allTenants), registryId);
  if (names === 0) return clearAlarm(ctx, key);
  await raiseAlarm(ctx, {
    key,
    severity: 'critical',
    sentence: `registry ${registryId} has permanently renewed ${names} unpaid ${names === 1 ? 'domain' : 'domains'}, because they were not deleted in time: it charges a year for each. They are deleted ${lifePolicy.overdueDays} days after that was detected, unless they are renewed`,
    facts: { registry_id: registryId, names },
  });
}

/** ICANN policy lets a registrar refuse the transfer of a domain whose past term is unpaid. */
export function refuseUnpaidRenewal(domain: Pick<Domain, 'name'> & Parameters<typeof owesFinalRenewal>[0]): void {
  if (owesFinalRenewal(domain)) throw new Refusal('conflict', `${domain.name} ${owedSentence}`);
}

/** The domain was transferred all the same, by an auth code that was issued before or by automatic approval of the registry. */
export async function emitLoss(ctx: AppContext, domain: Domain): Promise<void> {
  if (!owesFinalRenewal(domain)) return;
  await raiseAlarm(ctx, {
    key: `owed:${domain.id}`,
    severity: 'warning',
    sentence: `${domain.name} was transferred to another registrar with a year that its registry has charged and that is unpaid here since ${domain.end_date?.toISOString().slice(0, 10)}`,
    facts: { domain_id: domain.id, reseller_id: domain.reseller_id },
  });
}
