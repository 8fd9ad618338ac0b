import { dayMs, formatMoney } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import { clearAlarm, raiseAlarm } from '../../alarms/alarm.ts';
import type { AppContext } from '../../app-context.ts';
import { claimRun, requestRun } from '../../jobs/job-lease.sql.ts';
import { feeMoney } from '../../model/fee-money.ts';
import { currencyOfRegistry, listRegistries } from '../../registries/registry.sql.ts';
import { renewalCosts } from './renewal-funds.sql.ts';

const fundsLimits = { everyMs: 6 * 3_600_000, days: 14 };

const alarmKey = (registryId: string): string => `registry:${registryId}:renewal-funds`;

/** Compares the balance at each upstream with the costs of the automatic renewals to come, before a renewal fails for lack of money. */
export async function watchRenewalFunds(ctx: AppContext): Promise<void> {
  const now = ctx.wall.now().getTime();
  for (const { id, is_active, created_at } of await listRegistries(ctx.db.as(allTenants))) {
    // A new connection has no domains yet.
    if (!is_active || now - created_at.getTime() < dayMs) continue;
    const lease = `renewal-funds:${id}`;
    if (!(await claimRun(ctx, lease, fundsLimits.everyMs))) continue;
    if (!(await watchFundsOf(ctx, id))) await requestRun(ctx, lease);
  }
}

/** False: the balance was not read. */
async function watchFundsOf(ctx: AppContext, registryId: string): Promise<boolean> {
  const registry = await ctx.registries.of(registryId);
  const db = ctx.db.as(allTenants);
  const currency = await currencyOfRegistry(db, registryId);
  if (!registry.availableFunds || currency === undefined) return true;
  const wanted = { registryId, currency, at: ctx.clock.now(), days: fundsLimits.days };
  const { domains, unpriced, cost } = await renewalCosts(db, wanted);
  const reply = await registry.availableFunds();
  if (reply.kind !== 'done') {
    const why = reply.kind === 'refused' ? reply.evidence.text : reply.why;
    ctx.log.warn({ registry_id: registryId, why }, 'balance at an upstream was not read');
    return false;
  }
  if (reply.data === null) return true;
  const balance = feeMoney({ amount: reply.data, currency });
  if (balance.amount >= cost) {
    await clearAlarm(ctx, alarmKey(registryId));
    return true;
  }
  const text = (amount: bigint) => `${formatMoney({ amount, currency })} ${currency}`;
  const more = unpriced === 0 ? '' : `, and ${unpriced} of them have no cost in the list`;
  await raiseAlarm(ctx, {
    key: alarmKey(registryId),
    severity: 'critical',
    sentence: `the balance at registry ${registryId} is ${text(balance.amount)}, and ${domains} automatic renewals in the next ${fundsLimits.days} days cost ${text(cost)}${more}: pay in at least ${text(cost - balance.amount)}`,
    facts: { registry_id: registryId, balance: text(balance.amount), cost: text(cost), domains },
  });
  return true;
}
