import { z } from 'zod';
import { type CostComparison, compareCosts } from '../../../core/pricing/compare-costs.ts';
import { priceActions, priceLimits } from '../../../core/pricing/price.ts';
import { integer, text } from '../../field.ts';
import { route } from '../../route.ts';
import { instantText } from '../../wire.ts';
import { moneyView, showMoney } from '../billing/money-view.ts';
import { currencyCode } from '../common/currency-field.ts';

const at = { registry_id: z.string(), is_route: z.boolean().describe('New registrations and transfers in go to it.') };

const comparedView = z
  .object({
    tld: z.string().describe('The TLD.'),
    action: z.enum(priceActions),
    years: z.number().int(),
    offers: z
      .array(
        z.object({
          ...at,
          cost: moneyView.describe('In the currency of the registry, for all years.'),
          since: z.string().describe('Since when it applies.'),
          converted: moneyView.describe('In the currency of the comparison.'),
          rate: z
            .object({
              rate: z.string().describe('The exchange rate, with its margin.'),
              margin_percent: z.string().describe('Added to the rate, as for prices.'),
              valid_from: z.string().describe('Since when it is valid.'),
            })
            .nullable()
            .describe('Null: the cost is in the currency of the comparison.'),
        }),
      )
      .describe('The cheapest first.'),
    uncompared: z
      .array(
        z.object({
          ...at,
          reason: z
            .enum(['no_cost', 'no_exchange_rate', 'other_currency'])
            .describe('other_currency: its costs are not in the currency in which it charges.'),
          cost: moneyView.nullable().describe('In the currency of the registry. Null: no cost is known.'),
        }),
      )
      .describe('Registries that serve the TLD and cannot be compared.'),
  })
  .meta({ id: 'ComparedCost', description: 'The costs of an action at the registries of a TLD.' });

const comparisonView = z.object({
  currency: z.string(),
  at: z.string().describe('Costs and exchange rates in force at this time.'),
  costs: z.array(comparedView).describe('Sorted by TLD.'),
  unserved: z.array(z.string()).describe('TLDs of the request that no registry serves.'),
});

const show = (found: CostComparison): z.output<typeof comparisonView> => ({
  currency: found.currency,
  at: instantText(found.at),
  costs: found.compared.map(({ offers, uncompared, ...item }) => ({
    ...item,
    offers: offers.map(({ registryId, isRoute, cost, since, converted, rate }) => ({
      registry_id: registryId,
      is_route: isRoute,
      cost: showMoney(cost),
      since: instantText(since),
      converted: showMoney(converted),
      rate: rate && {
        rate: rate.rate,
        margin_percent: String(rate.margin_basis_points / 100),
        valid_from: instantText(rate.valid_from),
      },
    })),
    uncompared: uncompared.map(({ registryId, isRoute, reason, cost }) => ({
      registry_id: registryId,
      is_route: isRoute,
      reason,
      cost: cost && showMoney(cost),
    })),
  })),
  unserved: [...found.unserved],
});

export const compareCostsRoute = route({
  method: 'GET',
  path: '/operator/costs',
  area: 'account',
  style: 'own',
  summary: 'Compare the costs of registries',
  description:
    'Lists the cost of each action at the registries of each TLD, the cheapest first. Costs in other currencies are converted by your exchange rates, with their margin. Only for the operator.',
  input: z.object({
    tlds: text({
      max: 2_000,
      about: 'Comma-separated. Default: TLDs that several registries serve.',
      example: 'com,net',
    }).optional(),
    years: integer({
      min: 1,
      max: priceLimits.yearsMax,
      about: 'Of registrations and renewals. Default 1.',
    }).optional(),
    currency: currencyCode('Of the comparison. Default: your selling currency.').optional(),
  }),
  output: comparisonView,
  errors: ['invalid_argument', 'operator_only'],
  example: {
    input: { tlds: 'com' },
    output: {
      currency: 'USD',
      at: '2026-11-15T09:00:00Z',
      costs: [
        {
          tld: 'com',
          action: 'create',
          years: 1,
          offers: [
            {
              registry_id: 'openprovider',
              is_route: false,
              cost: { amount: '8.90', currency: 'EUR' },
              since: '2026-09-01T00:00:00Z',
              converted: { amount: '9.61', currency: 'USD' },
              rate: { rate: '1.08', margin_percent: '0', valid_from: '2026-11-01T00:00:00Z' },
            },
            {
              registry_id: 'verisign',
              is_route: true,
              cost: { amount: '10.26', currency: 'USD' },
              since: '2026-09-01T00:00:00Z',
              converted: { amount: '10.26', currency: 'USD' },
              rate: null,
            },
          ],
          uncompared: [{ registry_id: 'opensrs', is_route: false, reason: 'no_cost', cost: null }],
        },
      ],
      unserved: [],
    },
  },
  answer: async (ctx, caller, { tlds, years, currency }) =>
    show(
      await compareCosts(ctx, caller, {
        tlds: tlds?.split(','),
        years,
        currency: currency?.toUpperCase(),
      }),
    ),
});
