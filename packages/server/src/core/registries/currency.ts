import { allTenants } from '@namehold/postgres';
import { clearAlarm, raiseAlarm } from '../alarms/alarm.ts';
import type { AppContext } from '../app-context.ts';
import { costsInOtherCurrency, findRegistry, listRegistries } from './registry.sql.ts';

const costAlarm = (registryId: string): string => `registry:${registryId}:cost-currency`;
const answerAlarm = (registryId: string): string => `registry:${registryId}:currency`;

/** Costs in another currency than the registry's: orders are refused until the costs are imported in its currency. */
export async function watchCostCurrency(ctx: AppContext, registryId: string): Promise<void> {
  const db = ctx.db.as(allTenants);
  const row = await findRegistry(db, registryId);
  // Whether the registry agrees is seen with the next price that it reports.
  await clearAlarm(ctx, answerAlarm(registryId));
  const wrong = row?.currency ? await costsInOtherCurrency(db, registryId, ctx.clock.now()) : [];
  if (wrong.length === 0) return clearAlarm(ctx, costAlarm(registryId));
  const tlds = [...new Set(wrong.map(({ tld }) => `.${tld}`))].slice(0, 20).join(', ');
  const listed = [...new Set(wrong.map(({ currency }) => currency))].join(', ');
  await raiseAlarm(ctx, {
    key: costAlarm(registryId),
    severity: 'critical',
    sentence: `registry ${registryId} charges in ${row!.currency}, and the costs of ${tlds} are in ${listed}: orders there are refused. Import the costs in ${row!.currency}`,
    facts: { registry_id: registryId, currency: row!.currency, cost_currency: listed },
  });
}

/** After costs were imported. */
export async function watchCostCurrencies(ctx: AppContext): Promise<void> {
  for (const { id } of await listRegistries(ctx.db.as(allTenants))) await watchCostCurrency(ctx, id);
}

/** The registry reports its prices in another currency than expected. */
export async function alarmAnsweredCurrency(
  ctx: AppContext,
  registryId: string,
  { reported, expected }: { readonly reported: string; readonly expected: string },
): Promise<void> {
  await raiseAlarm(ctx, {
    key: answerAlarm(registryId),
    severity: 'critical',
    sentence: `registry ${registryId} reports its prices in ${reported}, and ${expected} is expected: orders there are refused. Connect it with --currency ${reported} and import its costs in ${reported}`,
    facts: { registry_id: registryId, reported, expected },
  });
}
