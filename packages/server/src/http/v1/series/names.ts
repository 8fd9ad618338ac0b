import { z } from 'zod';
import { allNames, nameLimits, ownNames } from '../../../core/series/names.ts';
import { integer } from '../../field.ts';
import { route } from '../../route.ts';

const monthView = z
  .object({
    month: z.string().describe('In UTC, as 2026-11.'),
    registered: z.number().describe('New names.'),
    arrived: z
      .number()
      .describe('Came from another registrar or another reseller of the house, or was found at the registry.'),
    renewed: z.number().describe('Terms that were made longer.'),
    lost: z.number().describe('Deleted, dropped, or gone to another registrar or reseller.'),
  })
  .meta({ id: 'NameMonth', description: 'Names that came, stayed and went in one month.' });

const input = z.object({
  months: integer({
    min: 1,
    max: nameLimits.months,
    about: `How many months, this one among them; default: ${nameLimits.usualMonths}.`,
  }).optional(),
});
const output = z.object({ months: z.array(monthView).describe('Oldest first.') });
const example = {
  input: { months: 1 },
  output: { months: [{ month: '2026-11', registered: 3, arrived: 1, renewed: 2, lost: 0 }] },
};

export const accountNameSeriesRoute = route({
  method: 'GET',
  path: '/account/series/names',
  area: 'account',
  style: 'own',
  summary: 'Read names registered, renewed and lost by month',
  description: 'Of the account itself, one row for each of the last months. An order that came to nothing is no loss.',
  input,
  output,
  errors: ['invalid_argument'],
  example,
  answer: async (ctx, caller, { months = nameLimits.usualMonths }) => ({
    months: await ownNames(ctx, caller, months),
  }),
});

export const operatorNameSeriesRoute = route({
  method: 'GET',
  path: '/operator/series/names',
  area: 'account',
  style: 'own',
  summary: 'Read names registered, renewed and lost by month, over all resellers',
  description:
    'As `GET /account/series/names`, of all resellers together: a name that moved from one to another neither came nor went. Only for the operator.',
  input,
  output,
  errors: ['invalid_argument', 'operator_only'],
  example,
  answer: async (ctx, caller, { months = nameLimits.usualMonths }) => ({
    months: await allNames(ctx, caller, months),
  }),
});
