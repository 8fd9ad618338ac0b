import { dayMs, formatMoney } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import { operatorId } from '../actors.ts';
import { clearAlarm, raiseAlarm } from '../alarms/alarm.ts';
import type { AppContext } from '../app-context.ts';
import { claimRun, requestRun } from '../jobs/job-lease.sql.ts';
import type { ListedPrice } from '../ports/registry.ts';
import { findRegistry, listRegistries, tldsOfRegistry } from '../registries/registry.sql.ts';
import { sellingCurrencyOf } from './pricing.sql.ts';
import { compareUpstreamPrices, type PriceChange, type UpstreamPrices } from './upstream-prices.ts';

/** Differences in the text of an alarm; the others are counted. */
const mostNamed = 5;

const priceAlarm = (registryId: string): string => `registry:${registryId}:prices`;

/** Compares the price list of each upstream with our costs once a day, so that no domain is sold at an outdated cost. */
export async function watchUpstreamPrices(ctx: AppContext): Promise<void> {
  const now = ctx.wall.now().getTime();
  for (const { id, is_active, created_at } of await listRegistries(ctx.db.as(allTenants))) {
    // The costs of a new connection are imported first.
    if (!is_active || now - created_at.getTime() < dayMs) continue;
    const lease = `upstream-prices:${id}`;
    if (!(await claimRun(ctx, lease, dayMs))) continue;
    // A list that was not read is queried again at the next run of the job.
    if (!(await watchPricesOf(ctx, id))) await requestRun(ctx, lease);
  }
}

/** False: the list was not read. */
async function watchPricesOf(ctx: AppContext, registryId: string): Promise<boolean> {
  const registry = await ctx.registries.of(registryId);
  if (!registry.priceList) return true;
  const tlds = await tldsOfRegistry(ctx.db.as(allTenants), registryId);
  const reply = await registry.priceList(tlds);
  if (reply.kind !== 'done') {
    const why = reply.kind === 'refused' ? reply.evidence.text : reply.why;
    ctx.log.warn({ registry_id: registryId, why }, 'price list of an upstream was not read');
    return false;
  }
  await raiseOrClearPriceAlarm(ctx, registryId, tlds, reply.data);
  return true;
}

/** `tlds`: all TLDs of the registry. */
export async function raiseOrClearPriceAlarm(
  ctx: AppContext,
  registryId: string,
  tlds: readonly string[],
  listed: readonly ListedPrice[],
): Promise<void> {
  const currency = await sellingCurrencyOf(ctx.db.as(operatorId), operatorId);
  const found = await compareUpstreamPrices(ctx, { registryId }, tlds, listed, { audience: 'reseller', currency });
  const stated = (await findRegistry(ctx.db.as(allTenants), registryId))?.currency;
  const differences = describeDifferences(found, stated ?? undefined);
  if (differences.length === 0) return clearAlarm(ctx, priceAlarm(registryId));
  const named = differences.slice(0, mostNamed).join('; ');
  const more = differences.length > mostNamed ? `; and ${differences.length - mostNamed} more` : '';
  await raiseAlarm(ctx, {
    key: priceAlarm(registryId),
    severity: 'warning',
    sentence: `the price list of registry ${registryId} differs from our costs: ${named}${more}. Import it with namehold price import --from-upstream ${registryId}`,
    facts: { registry_id: registryId, differences: differences.length },
  });
}

/** Changes that apply first come first. Rows in another currency than the one in which the registry charges cannot be imported. */
function describeDifferences({ costs, vanished }: UpstreamPrices, stated: string | undefined): string[] {
  const comparable = costs.filter(({ currency }) => stated === undefined || currency === stated);
  const sorted = [...comparable].sort((a, b) => (a.from?.getTime() ?? 0) - (b.from?.getTime() ?? 0));
  return [...sorted.map(describeChange), ...vanished.map((tld) => `.${tld} is no longer listed`)];
}

/** `.com create 10.29 -> 10.99 USD from 2026-12-01` */
export function describeChange({ tld, action, years, currency, before, after, from }: PriceChange): string {
  const what = `.${tld} ${action}${years === 1 ? '' : ` ${years} years`}`;
  const text = (amount: bigint) => formatMoney({ amount, currency });
  const change = before === null ? `${text(after)} ${currency} (new)` : `${text(before)} -> ${text(after)} ${currency}`;
  return `${what} ${change}${percentText(before, after)}${from === null ? '' : ` from ${from.toISOString().slice(0, 10)}`}`;
}

/** ` (+6.8 %)`; empty if there is nothing to compare with. */
function percentText(before: bigint | null, after: bigint): string {
  if (before === null || before === 0n) return '';
  const perMille = Number(((after - before) * 1_000n) / before) / 10;
  return ` (${perMille < 0 ? '' : '+'}${perMille} %)`;
}
