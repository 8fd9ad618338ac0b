import { formatMoney } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import { raiseAlarm } from '../alarms/alarm.ts';
import type { AppContext } from '../app-context.ts';
import { feeMoney } from '../model/fee-money.ts';
import type { Registry } from '../ports/registry.ts';
import { currencyOfRegistry, recordBalance } from './registry.sql.ts';

export const readBalanceLimits = { everyMs: 15 * 60_000 };

const attempts = new WeakMap<Registry, number>();

/** Queries our balance at a registry that has a command for it, at most every 15 minutes; a refused query waits as long. */
export async function readBalance(ctx: AppContext, registry: Registry): Promise<void> {
  const at = ctx.wall.now();
  if (!registry.balance || at.getTime() - (attempts.get(registry) ?? 0) < readBalanceLimits.everyMs) return;
  attempts.set(registry, at.getTime());
  // The mapping names no currency.
  const currency = await currencyOfRegistry(ctx.db.as(allTenants), registry.id);
  if (!currency) return;
  const since = { business: ctx.clock.now(), wall: at };
  const reply = await registry.balance();
  if (reply.kind !== 'done') {
    const why = reply.kind === 'refused' ? reply.evidence.text : reply.why;
    ctx.log.warn({ registry_id: registry.id, why }, 'balance query failed');
    return;
  }
  const balance = feeMoney({ amount: reply.data.available, currency });
  const threshold = feeMoney({ amount: reply.data.threshold, currency });
  const reading = { registryId: registry.id, balance, threshold, at: ctx.wall.now(), since };
  await ctx.db.transaction(allTenants, (tx) => recordBalance(tx, reading));
  if (balance.amount > threshold.amount) return;
  await raiseAlarm(ctx, {
    key: `registry:${registry.id}:balance`,
    severity: 'critical',
    sentence: `the balance at registry ${registry.id} is low: ${formatMoney(balance)} ${currency} left, its threshold is ${formatMoney(threshold)}. Pay money in`,
    facts: { registry_id: registry.id, available: formatMoney(balance), threshold: formatMoney(threshold) },
  });
}
