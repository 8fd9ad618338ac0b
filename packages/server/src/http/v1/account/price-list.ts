import { z } from 'zod';
import { type ImportReport, importPrices } from '../../../core/pricing/import-csv.ts';
import { audiences, priceActions, priceLimits } from '../../../core/pricing/price.ts';
import { setPrices } from '../../../core/pricing/set-price.ts';
import { amount, flag, instant, integer, oneOf, text } from '../../field.ts';
import { route } from '../../route.ts';
import { currencyCode } from '../common/currency-field.ts';
import { withCoreNames } from '../common/field-names.ts';

const target = oneOf(
  [...audiences, 'cost'],
  'Audience of the prices: sub-resellers, customers, or the cost at the registries (operator only).',
);

const priceInput = z.strictObject({
  tld: text({ max: 63, about: 'The TLD, with or without its dot.', example: 'com' }),
  action: oneOf(priceActions, 'The action that is priced.'),
  years: integer({ min: 1, max: priceLimits.yearsMax, about: 'Default 1.', example: 1 }).optional(),
  amount: z
    .union([amount('The price for all these years together.'), z.null()], {
      error: 'must be an amount such as 15.00, or null, which ends the price',
    })
    .describe('Null: end the price.'),
  currency: currencyCode('Default: your selling currency.').optional(),
  valid_from: instant('Valid from. Default: now.').optional(),
  valid_to: instant(
    'Valid until, for example for a promotion. Afterwards the previous price applies again.',
  ).optional(),
  registry: text({
    max: 40,
    about: 'Of a cost: the registry that charges it. Default: the one to which the route of the TLD leads.',
    example: 'verisign',
  }).optional(),
});

const unknown_tlds = z
  .array(z.string())
  .describe('Not in the catalogue. Their prices are stored, but the TLDs cannot be ordered yet.');
const storedView = z.object({ stored: z.number().int(), unknown_tlds });
const showStored = (set: Awaited<ReturnType<typeof setPrices>>): z.output<typeof storedView> => ({
  stored: set.stored,
  unknown_tlds: [...set.unknownTlds],
});

export const setPriceListRoute = route({
  method: 'PUT',
  path: '/account/price_list',
  sudo: true,
  area: 'account',
  style: 'own',
  summary: 'Set your selling prices',
  description:
    'Adds prices to a list, or ends them. A price takes precedence over every rule. If only one year has a price, more years cost that price times the years.',
  bodyValues: 10 * priceLimits.pricesPerCall,
  input: z.object({
    target,
    prices: z
      .array(priceInput)
      .min(1, 'must have at least one price')
      .max(priceLimits.pricesPerCall, `must have at most ${priceLimits.pricesPerCall} prices. Send several lists`),
  }),
  output: storedView,
  errors: ['operator_only'],
  example: {
    input: { target: 'customer', prices: [{ tld: 'com', action: 'create', years: 1, amount: '15.00' }] },
    output: { stored: 1, unknown_tlds: [] },
  },
  render: showStored,
  answer: async (ctx, caller, input) =>
    showStored(await setPrices(ctx, caller, input.target, input.prices.map(withCoreNames))),
});

const reportView = z.object({
  stored: z.number().int(),
  refused: z.number().int(),
  unknown_tlds,
  lines: z.array(
    z.object({
      line: z.number().int().describe('Line number in the file, counted from 1.'),
      status: z.enum(['stored', 'refused', 'not_stored']),
      reason: z.string().nullable(),
    }),
  ),
});

const showReport = ({ unknownTlds, ...report }: ImportReport): z.output<typeof reportView> => ({
  ...report,
  lines: [...report.lines],
  unknown_tlds: [...unknownTlds],
});

const csvMaxLength = 1_000_000;

export const importPriceListRoute = route({
  method: 'POST',
  path: '/account/price_list/import',
  sudo: true,
  area: 'account',
  style: 'own',
  summary: 'Import prices from CSV',
  description:
    'The first line names the columns: tld, action and amount. Optional columns are years, currency, valid_from and valid_to, and registry for costs. The amount is the total for all years; none removes a price. An action may also be written as the console names it, such as registration. The response reports every line.',
  input: z.object({
    target,
    csv: text({ max: csvMaxLength, about: 'The CSV file.', example: 'tld,action,years,amount\ncom,create,1,15.00' }),
    all_or_nothing: flag('Store nothing if any line is refused. Default: true.').optional(),
  }),
  output: reportView,
  errors: ['operator_only'],
  example: {
    input: { target: 'customer', csv: 'tld,action,years,amount\ncom,create,1,15.00' },
    output: { stored: 1, refused: 0, unknown_tlds: [], lines: [{ line: 2, status: 'stored', reason: null }] },
  },
  render: showReport,
  async answer(ctx, caller, input) {
    const order = { target: input.target, csv: input.csv, allOrNothing: input.all_or_nothing ?? true };
    return showReport(await importPrices(ctx, caller, order));
  },
});
