import { allTenants } from '@namehold/postgres';
import { operatorId } from '../actors.ts';
import type { Actor, AppContext } from '../app-context.ts';
import { badField, notFound, Refusal } from '../errors.ts';
import type { ListedPrice } from '../ports/registry.ts';
import { findRegistry, tldsOfRegistry } from '../registries/registry.sql.ts';
import { type ImportReport, importPrices } from './import-csv.ts';
import { type Audience, normaliseTld, type Rule } from './price.ts';
import { sellingCurrencyOf } from './pricing.sql.ts';
import { readWritten, type WrittenRule } from './set-rules.ts';
import { compareUpstreamPrices, csvOf, type PriceWish, type UpstreamPrices } from './upstream-prices.ts';
import { raiseOrClearPriceAlarm } from './watch-upstream-prices.ts';

interface UpstreamImport {
  readonly registryId: string;
  /** Undefined: all TLDs of the registry. */
  readonly tlds?: readonly string[] | undefined;
  readonly audience: Audience;
  readonly margin?: Margin | undefined;
  readonly priceCurrency?: string | undefined;
  readonly isDryRun: boolean;
}

/** `15%` of the cost, or an amount for each year; and how the sum is rounded up. */
export interface Margin {
  readonly added: string;
  readonly roundingStep?: string | undefined;
  readonly roundingEnding?: string | undefined;
}

export interface UpstreamImportReport extends UpstreamPrices {
  /** Lines that were not stored, with the reason. Only without a dry run. */
  readonly refused: readonly { readonly target: 'cost' | Audience; readonly line: string; readonly reason: string }[];
}

/** Imports the price list of an upstream as costs, and calculates selling prices with a margin. */
export async function importUpstreamPrices(
  ctx: AppContext,
  actor: Actor,
  order: UpstreamImport,
): Promise<UpstreamImportReport> {
  if (!actor.isOperator) throw new Refusal('operator_only');
  const { registryId, audience } = order;
  const served = await servedTlds(ctx, registryId);
  const tlds = order.tlds?.map(normaliseTld) ?? served;
  const foreign = tlds.find((tld) => !served.includes(tld));
  if (foreign !== undefined) throw badField('tlds', `Registry ${registryId} does not serve .${foreign}.`);
  const wish = await readWish(ctx, order);
  const listed = await fetchPriceList(ctx, registryId, tlds);
  const found = await compareUpstreamPrices(ctx, { registryId }, tlds, listed, wish);
  if (order.isDryRun) return { ...found, refused: [] };
  const refused = await storeUpstreamPrices(ctx, actor, { registryId, audience }, found);
  // A part of the TLDs does not show whether the others agree.
  if (tlds.length === served.length) await raiseOrClearPriceAlarm(ctx, registryId, tlds, listed);
  return { ...found, refused };
}

async function servedTlds(ctx: AppContext, registryId: string): Promise<string[]> {
  const db = ctx.db.as(allTenants);
  if (!(await findRegistry(db, registryId))) throw notFound(`registry ${registryId}`);
  return tldsOfRegistry(db, registryId);
}

export async function readWish(
  ctx: AppContext,
  { audience, margin, priceCurrency }: Pick<UpstreamImport, 'audience' | 'margin' | 'priceCurrency'>,
): Promise<PriceWish> {
  const currency = priceCurrency ?? (await sellingCurrencyOf(ctx.db.as(operatorId), operatorId));
  return { audience, currency, rule: margin && readMargin(margin, currency) };
}

const marginFields: Readonly<Record<string, string>> = {
  percent: 'margin',
  amount: 'margin',
  currency: 'priceCurrency',
};

/** Errors name the fields of a margin, not those of a rule. */
function readMargin(margin: Margin, currency: string): Rule | undefined {
  try {
    return readWritten([ruleOf(margin)], currency)[0];
  } catch (error) {
    const bad = error instanceof Refusal ? error.details.errors?.[0] : undefined;
    if (!bad) throw error;
    const field = bad.field.replace(/^rules\.0\./, '');
    throw badField(marginFields[field] ?? field, bad.message, bad.code);
  }
}

function ruleOf({ added, ...rounding }: Margin): WrittenRule {
  const percent = /^(.*)%$/.exec(added.trim())?.[1]?.trim();
  return percent === undefined
    ? { kind: 'fixed', amount: added, ...rounding }
    : { kind: 'percent', percent, ...rounding };
}

/** The list of an upstream, which can take minutes. */
async function fetchPriceList(
  ctx: AppContext,
  registryId: string,
  tlds: readonly string[],
): Promise<readonly ListedPrice[]> {
  const registry = await ctx.registries.of(registryId);
  if (!registry.priceList)
    throw new Refusal(
      'conflict',
      `Registry ${registryId} has no price list that can be queried. Import a CSV file instead.`,
    );
  const reply = await registry.priceList(tlds);
  if (reply.kind === 'done') return reply.data;
  const why = reply.kind === 'refused' ? (reply.evidence.text ?? 'refused') : reply.why;
  throw new Refusal(
    'registry_unavailable',
    `The price list of ${registryId} was not read: ${why}. Nothing was changed.`,
  );
}

/** Through the same import as a CSV file. Costs first. */
export async function storeUpstreamPrices(
  ctx: AppContext,
  actor: Actor,
  { registryId, audience }: Pick<UpstreamImport, 'registryId' | 'audience'>,
  { costs, prices }: Pick<UpstreamPrices, 'costs' | 'prices'>,
): Promise<UpstreamImportReport['refused']> {
  const refused: UpstreamImportReport['refused'][number][] = [];
  for (const [target, changes] of [['cost', costs] as const, [audience, prices] as const]) {
    if (changes.length === 0) continue;
    const csv = csvOf(changes);
    const lines = csv.split('\n');
    const named = target === 'cost' ? { registryId } : {};
    const report: ImportReport = await importPrices(ctx, actor, { target, csv, allOrNothing: false, ...named });
    for (const { line, status, reason } of report.lines)
      if (status === 'refused') refused.push({ target, line: lines[line - 1] ?? '', reason: reason ?? '' });
  }
  return refused;
}
