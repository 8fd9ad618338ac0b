import { z } from 'zod';
import { type ImportReport, importPrices } from '../../../core/pricing/import-csv.ts';
import { audiences, priceActions, priceLimits } from '../../../core/pricing/price.ts';
import { setPrices } from '../../../core/pricing/set-price.ts';
import { amount, flag, instant, integer, text, word } from '../../field.ts';
import { route } from '../../route.ts';
import { currencyCode } from '../common/currency-field.ts';
import { withCoreNames } from '../common/field-names.ts';

const target = word(
  [...audiences, 'cost'],
  'Whose prices: those for sub-resellers, those for customers, or (operator only) what the registries take.',
);

const priceInput = z.strictObject({
  tld: text({ max: 63, about: 'The TLD, with or without its dot.', example: 'com' }),
  action: word(priceActions, 'What is sold.'),
  years: integer({ min: 1, max: priceLimits.yearsMax, about: 'Default 1.', example: 1 }).optional(),
  amount: z
    .union([amount('The price for all these years together.'), z.null()], {
      error: 'must be an amount such as 15.00, or null, which ends the price',
    })
    .describe('Null ends the price.'),
  currency: currencyCode('Default: the own selling currency.').optional(),
  valid_from: instant('From when on; default now.').optional(),
  valid_to: instant('Until when, as for a promotion; what was in force before then counts again.').optional(),
});

const unknown_tlds = z
  .array(z.string())
  .describe('Not in the catalogue: their prices are kept, and nobody can order them yet.');
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
  summary: 'Set own selling prices',
  description:
    'Adds prices to a list or ends them. A price wins over every rule. Where only one year has a price, more years cost that many times as much.',
  bodyValues: 10 * priceLimits.pricesPerCall,
  input: z.object({
    target,
    prices: z
      .array(priceInput)
      .min(1, 'must have at least one price')
      .max(priceLimits.pricesPerCall, `must have at most ${priceLimits.pricesPerCall} prices: send several lists`),
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
      line: z.number().int().describe('Line of the file, counted from 1.'),
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
    'The first line names the columns tld, action, amount and, where wanted, years, currency, valid_from, valid_to; the word none as amount ends a price. The answer reports every line.',
  input: z.object({
    target,
    csv: text({ max: csvMaxLength, about: 'The file.', example: 'tld,action,years,amount\ncom,create,1,15.00' }),
    all_or_nothing: flag('Store nothing where one line is refused. Default true.').optional(),
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
