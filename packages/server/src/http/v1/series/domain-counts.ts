import { z } from 'zod';
import { allDomainCounts, domainCountLimits, ownDomainCounts } from '../../../core/series/domain-counts.ts';
import { integer } from '../../field.ts';
import { route } from '../../route.ts';

const monthView = z
  .object({
    month: z.string().describe('The month in UTC, as 2026-11.'),
    registered: z.number().describe('New registrations.'),
    arrived: z.number().describe('Transferred or moved in, or found at the registry.'),
    renewed: z.number().describe('Renewals.'),
    lost: z.number().describe('Deleted, expired, or transferred or moved away.'),
  })
  .meta({ id: 'DomainMonth', description: 'Domains gained, renewed and lost in one month.' });

const input = z.object({
  months: integer({
    min: 1,
    max: domainCountLimits.months,
    about: `Number of months, including this one. Default: ${domainCountLimits.usualMonths}.`,
  }).optional(),
});
const output = z.object({ months: z.array(monthView).describe('Oldest first.') });
const example = {
  input: { months: 1 },
  output: { months: [{ month: '2026-11', registered: 3, arrived: 1, renewed: 2, lost: 0 }] },
};

export const accountNameSeriesRoute = route({
  method: 'GET',
  path: '/account/series/domains',
  former: { since: '2026-11-18', path: '/account/series/names' },
  area: 'account',
  style: 'own',
  summary: 'Read domains gained, renewed and lost by month',
  description: 'Of the account itself, one row for each of the last months. A failed order is not counted as lost.',
  input,
  output,
  errors: ['invalid_argument'],
  example,
  answer: async (ctx, caller, { months = domainCountLimits.usualMonths }) => ({
    months: await ownDomainCounts(ctx, caller, months),
  }),
});

export const operatorNameSeriesRoute = route({
  method: 'GET',
  path: '/operator/series/domains',
  former: { since: '2026-11-18', path: '/operator/series/names' },
  area: 'account',
  style: 'own',
  summary: 'Read domains gained, renewed and lost by month, of all resellers',
  description:
    'Like `GET /account/series/domains`, for all resellers together. A move between two of them is not counted. Only for the operator.',
  input,
  output,
  errors: ['invalid_argument', 'operator_only'],
  example,
  answer: async (ctx, caller, { months = domainCountLimits.usualMonths }) => ({
    months: await allDomainCounts(ctx, caller, months),
  }),
});
