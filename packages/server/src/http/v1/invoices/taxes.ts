import { z } from 'zod';
import { readTaxes, setTaxes } from '../../../core/invoices/settings.ts';
import { buyerKinds, type TaxRate } from '../../../core/invoices/tax.ts';
import { invoiceLimits } from '../../../core/model/invoice.ts';
import { FieldRefusal, field, oneOf, text } from '../../field.ts';
import { route } from '../../route.ts';
import { percentText } from './invoice-view.ts';

const rateView = z
  .object({
    country_code: z.string().nullable().describe('Null: every country without its own rate.'),
    buyer: z.enum(buyerKinds).describe('A business has a tax id.'),
    name: z.string(),
    rate: z.string().describe('In percent.'),
    note: z.string().nullable().describe('Note that is printed beside the tax.'),
    valid_from: z.string().describe('First day.'),
    valid_until: z.string().nullable().describe('Last day. Null: no end.'),
  })
  .meta({ id: 'TaxRate', description: 'A tax rate for some buyers and a period.' });
const taxesView = z
  .object({ rates: z.array(rateView).describe('By country, kind of buyer and day.') })
  .meta({ id: 'Taxes', description: 'Your tax table. Empty: invoices without tax.' });

const showTaxes = (rows: readonly TaxRate[]): z.output<typeof taxesView> => ({
  rates: rows.map((row) => ({ ...row, rate: percentText(row.rate) })),
});

const percent = text({
  max: 10,
  about: 'In percent, with at most three decimal places.',
  example: '11',
  pattern: /^(100(\.0{1,3})?|\d{1,2}(\.\d{1,3})?)$/,
  must: 'must be a percentage from 0 to 100, with at most three decimal places',
});

const day = (about: string) =>
  field({ type: 'string', format: 'date', description: about, examples: ['2025-01-01'] }, (value) => {
    const read = typeof value === 'string' ? value.trim() : '';
    const at = new Date(`${read}T00:00:00Z`);
    if (!/^(19|20|21)\d{2}-\d{2}-\d{2}$/.test(read) || Number.isNaN(at.getTime()) || !at.toISOString().startsWith(read))
      throw new FieldRefusal('Must be a day such as 2025-01-01.');
    return read;
  });

const rateInput = z.strictObject({
  country_code: text({
    max: 2,
    about: 'Only buyers in this country. Default: all countries without a rate.',
    example: 'ID',
  }).nullish(),
  buyer: oneOf(buyerKinds, 'Only businesses (with a tax id) or only private persons. Default: any.').optional(),
  name: text({ max: 40, about: 'Name of the tax on the document.', example: 'PPN' }),
  rate: percent,
  note: text({
    max: invoiceLimits.noteLength,
    about: 'Note beside the tax, for example why there is none or who owes it.',
  }).nullish(),
  valid_from: day('First day.'),
  valid_until: day('Last day. Default: no end.').nullish(),
});

const example: z.output<typeof taxesView> = {
  rates: [
    {
      country_code: 'ID',
      buyer: 'any',
      name: 'PPN',
      rate: '11',
      note: null,
      valid_from: '2022-04-01',
      valid_until: null,
    },
    {
      country_code: null,
      buyer: 'any',
      name: 'PPN',
      rate: '0',
      note: 'Export of services',
      valid_from: '2022-04-01',
      valid_until: null,
    },
  ],
};

export const readTaxesRoute = route({
  method: 'GET',
  path: '/invoices/taxes',
  area: 'billing',
  style: 'own',
  summary: 'Read your tax table',
  description: 'Rates by country and kind of buyer, with their periods.',
  input: z.object({}),
  output: taxesView,
  errors: [],
  example: { output: example },
  answer: async (ctx, caller) => showTaxes(await readTaxes(ctx, caller)),
});

export const setTaxesRoute = route({
  method: 'PUT',
  path: '/invoices/taxes',
  area: 'billing',
  style: 'own',
  summary: 'Set your tax table',
  description:
    'Replaces the whole table. The rate on the day of sale applies. A rate for the buyer’s country takes precedence, then one for its kind. Empty: no tax. Drafts that wait for a rate are issued when it exists.',
  bodyValues: 12 * invoiceLimits.taxRates,
  input: z.object({ rates: z.array(rateInput).max(invoiceLimits.taxRates).describe('The whole table.') }),
  output: taxesView,
  errors: ['invalid_argument'],
  example: {
    input: {
      rates: [
        { country_code: 'ID', name: 'PPN', rate: '11', valid_from: '2022-04-01' },
        { name: 'PPN', rate: '0', note: 'Export of services', valid_from: '2022-04-01' },
      ],
    },
    output: example,
  },
  render: showTaxes,
  answer: async (ctx, caller, { rates }) =>
    showTaxes(
      await setTaxes(
        ctx,
        caller,
        rates.map((row) => ({
          country_code: row.country_code?.toUpperCase() ?? null,
          buyer: row.buyer ?? 'any',
          name: row.name,
          rate: Math.round(Number(row.rate) * 1_000),
          note: row.note ?? null,
          valid_from: row.valid_from,
          valid_until: row.valid_until ?? null,
        })),
      ),
    ),
});
