import { formatMoney } from '@namehold/base';
import { z } from 'zod';
import { allHolds, type HeldMoney, ownHolds } from '../../../core/series/holds.ts';
import { route } from '../../route.ts';

const heldView = z
  .object({
    currency: z.string(),
    classes: z
      .array(
        z.object({
          from_hours: z.number().describe('On hold for at least this long.'),
          to_hours: z.number().nullable().describe('Null: no upper limit.'),
          count: z.number().describe('Number of orders.'),
          amount: z.string(),
        }),
      )
      .describe('Youngest first.'),
  })
  .meta({ id: 'HeldMoney', description: 'Money on hold, by age.' });

const show = ({ currency, classes }: HeldMoney): z.output<typeof heldView> => ({
  currency,
  classes: classes.map(({ fromHours, toHours, count, amount }) => ({
    from_hours: fromHours,
    to_hours: toHours,
    count,
    amount: formatMoney(amount),
  })),
});

const example: z.output<typeof heldView> = {
  currency: 'USD',
  classes: [
    { from_hours: 0, to_hours: 1, count: 1, amount: '12.39' },
    { from_hours: 1, to_hours: 24, count: 0, amount: '0.00' },
    { from_hours: 24, to_hours: 168, count: 0, amount: '0.00' },
    { from_hours: 168, to_hours: 720, count: 0, amount: '0.00' },
    { from_hours: 720, to_hours: null, count: 0, amount: '0.00' },
  ],
};

export const accountHoldSeriesRoute = route({
  method: 'GET',
  path: '/account/series/holds',
  area: 'account',
  style: 'own',
  summary: 'Read money on hold by age',
  description:
    'Money of the account itself. Money is on hold while an order is at a registry. Check money that is on hold for days.',
  input: z.object({}),
  output: heldView,
  errors: [],
  example: { output: example },
  answer: async (ctx, caller) => show(await ownHolds(ctx, caller)),
});

export const operatorHoldSeriesRoute = route({
  method: 'GET',
  path: '/operator/series/holds',
  area: 'account',
  style: 'own',
  summary: 'Read money on hold by age, of all accounts',
  description:
    'Each order once, at the price of its buyer, by currency. Currencies without money on hold are omitted. Only for the operator.',
  input: z.object({}),
  output: z.object({ held: z.array(heldView).describe('One for each currency.') }),
  errors: ['operator_only'],
  example: { output: { held: [example] } },
  answer: async (ctx, caller) => ({ held: (await allHolds(ctx, caller)).map(show) }),
});
