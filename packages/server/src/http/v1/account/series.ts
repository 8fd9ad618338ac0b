import { formatMoney } from '@namehold/base';
import { z } from 'zod';
import { moneySeries, runwayOf, seriesLimits } from '../../../core/ledger/series.ts';
import { integer } from '../../field.ts';
import { route } from '../../route.ts';

const dayView = z
  .object({
    date: z.string().describe('The day, in UTC.'),
    spent: z.string().describe('Money held for orders and debit notes, less refunds. Negative if refunds are larger.'),
    funded: z.string().describe('Payments received.'),
    balance: z.string().describe('Available balance at the end of the day.'),
  })
  .meta({ id: 'MoneyDay', description: 'Money movements of one day.' });

export const accountSeriesRoute = route({
  method: 'GET',
  path: '/account/series',
  area: 'account',
  style: 'own',
  summary: 'Read spending and balance by day',
  description:
    'One row for each of the last days, oldest first, including today. An order counts from when its money is held.',
  input: z.object({
    days: integer({
      min: 1,
      max: seriesLimits.days,
      about: `Number of days. Default: ${seriesLimits.usualDays}.`,
    }).optional(),
  }),
  output: z.object({
    currency: z.string(),
    runway_days: z
      .number()
      .int()
      .nullable()
      .describe(
        `How many days the balance lasts at the average spending since the first spending. Null: not enough data. The first spending in the period must be at least ${seriesLimits.runwayFewestDays} days ago, and there must be spending on more than one day.`,
      ),
    days: z.array(dayView).describe('Oldest first.'),
  }),
  errors: ['invalid_argument'],
  example: {
    input: { days: 1 },
    output: {
      currency: 'USD',
      runway_days: null,
      days: [{ date: '2026-11-15', spent: '12.39', funded: '0.00', balance: '337.61' }],
    },
  },
  async answer(ctx, caller, input) {
    const days = await moneySeries(ctx, caller, input.days ?? seriesLimits.usualDays);
    const shown = days.map(({ date, spent, funded, balance }) => ({
      date,
      spent: formatMoney(spent),
      funded: formatMoney(funded),
      balance: formatMoney(balance),
    }));
    return { currency: days[0]!.balance.currency, runway_days: runwayOf(days), days: shown };
  },
});
