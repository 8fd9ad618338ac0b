import { allTenants } from '@namehold/base';
import { clearAlarm, raiseAlarm } from '../alarms/alarm.ts';
import type { AppContext } from '../app-context.ts';
import { costsInOtherCurrency, findRegistry, listRegistries } from './registry.sql.ts';

const costAlarm = (registryId: string): string => `registry:${registryId}:cost-currency`;
const answerAlarm = (registryId: string): string => `registry:${registryId}:currency`;

/** Costs in another currency than the one in which the registry charges: nothing is sold until they are imported in that one. */
export async function watchCostCurrency(ctx: AppContext, registryId: string): Promise<void> {
  const db = ctx.db.as(allTenants);
  const row = await findRegistry(db, registryId);
  // Whether the registry agrees is seen with the next price that it names.
  await clearAlarm(ctx, answerAlarm(registryId));
  const wrong = row?.currency ? await costsInOtherCurrency(db, registryId, ctx.clock.now()) : [];
  if (wrong.length === 0) return clearAlarm(ctx, costAlarm(registryId));
  const tlds = [...new Set(wrong.map(({ tld }) => `.${tld}`))].slice(0, 20).join(', ');
  const listed = [...new Set(wrong.map(({ currency }) => currency))].join(', ');
  await raiseAlarm(ctx, {
    key: costAlarm(registryId),
    severity: 'critical',
    sentence: `registry ${registryId} charges in ${row!.currency}, and the costs of ${tlds} are in ${listed}: import them in ${row!.currency}; nothing is sold there until then`,
    facts: { registry_id: registryId, currency: row!.currency, cost_currency: listed },
  });
}

/** After costs were imported. */
export async function watchCostCurrencies(ctx: AppContext): Promise<void> {
  for (const { id } of await listRegistries(ctx.db.as(allTenants))) await watchCostCurrency(ctx, id);
}

/** The registry names its prices in another currency than the one that is expected of it. */
export async function alarmAnsweredCurrency(
  ctx: AppContext,
  registryId: string,
  { told, expected }: { readonly told: string; readonly expected: string },
): Promise<void> {
  await raiseAlarm(ctx, {
    key: answerAlarm(registryId),
    severity: 'critical',
    sentence: `registry ${registryId} names its prices in ${told}, and ${expected} is expected: connect it with --currency ${told} and import its costs in ${told}; nothing is sold there until then`,
    facts: { registry_id: registryId, told, expected },
  });
}
