import { readFileSync } from 'node:fs';
import { formatMoney } from '@namehold/base';
import { operatorId } from '../core/actors.ts';
import { importPrices } from '../core/pricing/import-csv.ts';
import { importUpstreamPrices, type Margin, type UpstreamImportReport } from '../core/pricing/import-upstream.ts';
import type { PriceTarget } from '../core/pricing/set-price.ts';
import type { LossMaking, PriceChange } from '../core/pricing/upstream-prices.ts';
import { describeChange } from '../core/pricing/watch-upstream-prices.ts';
import {
  type Call,
  type Command,
  cliActor,
  type Option,
  type Outcome,
  optional,
  optionalId,
  positional,
  required,
  UsageError,
} from './command.ts';
import { priceCompare } from './price-compare.ts';

/** Options of commands that calculate selling prices from costs. */
export const marginOptions = {
  margin: {
    type: 'string',
    about: 'Calculate selling prices: percentage added to the cost, such as 15%, or an amount added for each year.',
  },
  'rounding-step': { type: 'string', about: 'Raise selling prices to a multiple of this amount, such as 1.00.' },
  'rounding-ending': { type: 'string', about: 'Ending of the rounded prices, such as 0.99. Needs --rounding-step.' },
  'price-currency': {
    type: 'string',
    about: "Currency of the selling prices; default: the operator's. Costs are converted by the exchange rate.",
  },
} as const satisfies Record<string, Option>;

export function marginOf(call: Call): Margin | undefined {
  const added = optional(call, 'margin');
  const rounding = { roundingStep: optional(call, 'rounding-step'), roundingEnding: optional(call, 'rounding-ending') };
  if (rounding.roundingEnding !== undefined && rounding.roundingStep === undefined)
    throw new UsageError('--rounding-ending needs --rounding-step');
  if (added === undefined && rounding.roundingStep !== undefined)
    throw new UsageError('--rounding-step needs --margin');
  return added === undefined ? undefined : { added, ...rounding };
}

export const listOf = (text: string | undefined): string[] | undefined =>
  text?.split(',').map((tld) => tld.trim().toLowerCase().replace(/^\./, ''));

const priceImport: Command = {
  name: 'price import',
  summary: 'Import prices from CSV or from the price list of an upstream, and report the changes',
  usage:
    'price import FILE.csv --target cost|reseller|customer [--registry ID] [--reseller ID] [--all-or-nothing]\n       namehold price import --from-upstream REGISTRY_ID [--margin 15%|AMOUNT] [--rounding-step AMOUNT [--rounding-ending AMOUNT]] [--tlds com,net] [--target reseller|customer] [--price-currency CODE] [--dry-run]',
  options: {
    target: {
      type: 'string',
      about: 'cost: prices of registries; reseller: prices for sub-resellers; customer: prices for customers.',
    },
    reseller: { type: 'string', about: 'Reseller that owns the price list; default: the operator.' },
    registry: {
      type: 'string',
      about: 'With --target cost: the registry that charges these costs; default: the one of the route of each TLD.',
    },
    'all-or-nothing': { type: 'boolean', about: 'Store nothing if a line is refused.' },
    'from-upstream': {
      type: 'string',
      about: 'Import the price list of this registry as costs. With --margin, selling prices are calculated too.',
    },
    tlds: { type: 'string', about: 'With --from-upstream: only these TLDs, comma-separated.' },
    ...marginOptions,
    'dry-run': { type: 'boolean', about: 'With --from-upstream: only print what would change.' },
  },
  run: (call) => (optional(call, 'from-upstream') === undefined ? importFile(call) : importFromUpstream(call)),
};

async function importFile(call: Call): Promise<Outcome> {
  const target = required(call, 'target');
  if (!['cost', 'reseller', 'customer'].includes(target))
    throw new UsageError('--target must be cost, reseller or customer');
  const other = ['tlds', 'dry-run', ...Object.keys(marginOptions)].find((name) => call.options[name] !== undefined);
  if (other !== undefined) throw new UsageError(`--${other} needs --from-upstream`);
  if (target !== 'cost' && call.options.registry !== undefined) throw new UsageError('--registry needs --target cost');
  const csv = readFileSync(positional(call, 0, 'the file'), 'utf8');
  const report = await call.tools.withContext((ctx) =>
    importPrices(ctx, cliActor(optionalId(call, 'reseller') ?? operatorId), {
      target: target as PriceTarget,
      csv,
      allOrNothing: call.options['all-or-nothing'] === true,
      registryId: optional(call, 'registry'),
    }),
  );
  const { unknownTlds, ...counted } = report;
  const bad = report.lines
    .filter((line) => line.status !== 'stored')
    .map((line) => `line ${line.line}: ${line.status}${line.reason ? `: ${line.reason}` : ''}`);
  return {
    lines: [
      `${report.stored} stored, ${report.refused} refused`,
      ...bad,
      ...(report.refused > 0 && report.stored > 0
        ? ['The other lines are in force. Correct these lines and import them, or use --all-or-nothing.']
        : []),
      ...unknownTlds.map((tld) => `${tld} is not in the TLD catalogue: it cannot be ordered yet`),
    ],
    json: { ...counted, unknown_tlds: unknownTlds },
    exitCode: report.refused === 0 ? 0 : 1,
  };
}

async function importFromUpstream(call: Call): Promise<Outcome> {
  const audience = optional(call, 'target') ?? 'reseller';
  if (audience !== 'reseller' && audience !== 'customer')
    throw new UsageError('with --from-upstream, --target must be reseller or customer');
  const other = ['reseller', 'registry', 'all-or-nothing'].find((name) => call.options[name] !== undefined);
  if (other !== undefined || call.positionals.length > 0)
    throw new UsageError(`--from-upstream takes no ${other === undefined ? 'file' : `--${other}`}`);
  const isDryRun = call.options['dry-run'] === true;
  const report = await call.tools.withContext((ctx) =>
    importUpstreamPrices(ctx, cliActor(operatorId), {
      registryId: required(call, 'from-upstream'),
      tlds: listOf(optional(call, 'tlds')),
      audience,
      margin: marginOf(call),
      priceCurrency: optional(call, 'price-currency')?.toUpperCase(),
      isDryRun,
    }),
  );
  return {
    lines: reportLines(report, isDryRun),
    json: { dry_run: isDryRun, ...reportJson(report) },
    exitCode: report.refused.length === 0 ? 0 : 1,
  };
}

/** Differences of costs and prices, as `price import --from-upstream` reports them. */
export function reportLines(report: UpstreamImportReport, isDryRun: boolean): string[] {
  const { costs, prices, added, unrouted, vanished, lossMaking, refused } = report;
  const stored = costs.length + prices.length - refused.length;
  return [
    ...costs.map((change) => `cost   ${describeChange(change)}`),
    ...prices.map((change) => `price  ${describeChange(change)}`),
    ...added.map((tld) => `.${tld} is new: it had no cost before`),
    ...unrouted.map((tld) => `.${tld} is routed to another registry: its selling prices stay as they are`),
    ...vanished.map((tld) => `.${tld} is no longer in the list; its costs stay as they are`),
    ...lossMaking.map(describeLoss),
    ...refused.map(({ target, line, reason }) => `refused: ${target} ${line}: ${reason}`),
    isDryRun
      ? `${costs.length} costs and ${prices.length} prices would change; nothing was stored`
      : `${stored} stored, ${refused.length} refused`,
  ];
}

function describeLoss({ tld, action, years, price, cost, from }: LossMaking): string {
  const what = `.${tld} ${action}${years === 1 ? '' : ` ${years} years`}`;
  const since = from === null ? '' : ` from ${from.toISOString().slice(0, 10)}`;
  return `below cost: ${what} is sold for ${formatMoney(price)} ${price.currency} and costs ${formatMoney(cost)} ${cost.currency}${since}`;
}

const changeJson = ({ before, after, currency, ...change }: PriceChange) => ({
  ...change,
  currency,
  before: before === null ? null : formatMoney({ amount: before, currency }),
  after: formatMoney({ amount: after, currency }),
});

export const reportJson = ({ costs, prices, lossMaking, ...report }: UpstreamImportReport) => ({
  costs: costs.map(changeJson),
  prices: prices.map(changeJson),
  ...report,
  below_cost: lossMaking.map(({ price, cost, ...item }) => ({
    ...item,
    currency: price.currency,
    price: formatMoney(price),
    cost: formatMoney(cost),
  })),
});

export const priceCommands: readonly Command[] = [priceImport, priceCompare];
