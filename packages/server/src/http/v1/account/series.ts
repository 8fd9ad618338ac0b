import { formatMoney } from '@namehold/base';
import { z } from 'zod';
import { moneySeries, runwayOf, seriesLimits } from '../../../core/ledger/series.ts';
import { integer } from '../../field.ts';
import { route } from '../../route.ts';

const dayView = z
  .object({
    date: z.string().describe('In UTC.'),
    spent: z.string().describe('Taken for orders and notes, less what came back; below zero where more came back.'),
    funded: z.string().describe('Paid in.'),
    balance: z.string().describe('What could be spent at its end.'),
  })
  .meta({ id: 'MoneyDay', description: 'The money of one day.' });

export const accountSeriesRoute = route({
  method: 'GET',
  path: '/account/series',
  area: 'account',
  style: 'own',
  summary: 'Read spending and balance by day',
  description:
    'One row for each of the last days, oldest first, today among them. An order counts when its money is held.',
  input: z.object({
    days: integer({
      min: 1,
      max: seriesLimits.days,
      about: `How many days; default: ${seriesLimits.usualDays}.`,
    }).optional(),
  }),
  output: z.object({
    currency: z.string(),
    runway_days: z
      .number()
      .int()
      .nullable()
      .describe(
        `For how many days the balance lasts at the pace since the first spending. Null: the first spending in these days is less than ${seriesLimits.runwayFewestDays} days ago, all spending was on one day, or there is nothing to tell.`,
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
