import { z } from 'zod';
import { type RouteChange, readRoutes, setRoute } from '../../../core/operator/routes.ts';
import { audiences, priceActions } from '../../../core/pricing/price.ts';
import type { RouteRow } from '../../../core/registries/route.sql.ts';
import { flag, text } from '../../field.ts';
import { route } from '../../route.ts';
import { moneyView, showMoney } from '../billing/money-view.ts';

const registryCount = z.object({ registry_id: z.string(), domains: z.number().int().describe('Number of domains.') });

const countsOf = (domains: Readonly<Record<string, number>>): z.output<typeof registryCount>[] =>
  Object.entries(domains)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([registry_id, count]) => ({ registry_id, domains: count }));

const routeView = z
  .object({
    tld: z.string().describe('The TLD.'),
    registry_id: z
      .string()
      .nullable()
      .describe('Where new registrations and transfers in go. Null: nothing can be ordered.'),
    is_offered: z.boolean().describe('Whether the catalogue offers the TLD.'),
    alternatives: z.array(z.string()).describe('Other registries that serve the TLD, to which the route may be set.'),
    domains: z.array(registryCount).describe('Present domains by registry. Each stays at its registry.'),
  })
  .meta({ id: 'TldRoute', description: 'Where new registrations and transfers in of a TLD go.' });

const showRoute = ({ domains, alternatives, ...row }: RouteRow): z.output<typeof routeView> => ({
  ...row,
  alternatives: [...alternatives],
  domains: countsOf(domains),
});

export const listRoutesRoute = route({
  method: 'GET',
  path: '/operator/routes',
  area: 'account',
  style: 'own',
  summary: 'List the routes of TLDs',
  description:
    'The registry to which new registrations and transfers in of each TLD go, and the other registries that serve it. Only for the operator.',
  input: z.object({}),
  output: z.object({ routes: z.array(routeView).describe('Sorted by TLD.') }),
  errors: ['operator_only'],
  example: {
    output: {
      routes: [
        {
          tld: 'com',
          registry_id: 'verisign',
          is_offered: true,
          alternatives: ['resellerclub'],
          domains: [{ registry_id: 'verisign', domains: 1200 }],
        },
      ],
    },
  },
  answer: async (ctx, caller) => ({ routes: (await readRoutes(ctx, caller)).map(showRoute) }),
});

const changeView = z
  .object({
    dry_run: z.boolean().describe('true: nothing was changed.'),
    tld: z.string().describe('The TLD.'),
    from: z.string().nullable().describe('The registry of the route before. Null: none.'),
    to: z.string().describe('The registry of the route now; with a dry run: as it would be.'),
    staying: z.array(registryCount).describe('Domains that stay at other registries, with the rules and costs there.'),
    pending: z.number().int().describe('Unfinished registrations and transfers in that stay at the registry before.'),
    rules: z
      .array(
        z.object({
          rule: z.string().describe('Its path in the catalogue.'),
          before: z.string().describe('At the registry before, as JSON.'),
          after: z.string().describe('At the new one, as JSON.'),
        }),
      )
      .describe('Rules of the TLD that differ: periods, fields, grace periods.'),
    costs: z
      .array(
        z.object({
          action: z.enum(priceActions),
          years: z.number().int(),
          before: moneyView.nullable().describe('Null: not in the cost list.'),
          after: moneyView.nullable().describe('Null: not in the cost list.'),
        }),
      )
      .describe('Costs that differ.'),
    below_cost: z
      .array(
        z.object({
          audience: z.enum(audiences),
          action: z.enum(priceActions),
          years: z.number().int(),
          price: moneyView,
          cost: moneyView.describe('In the currency of the price.'),
        }),
      )
      .describe('Your prices that would be below the cost at the new registry.'),
    unpriced: z
      .array(z.object({ audience: z.enum(audiences), action: z.enum(priceActions) }))
      .describe('Actions that have a price now, and would have none.'),
  })
  .meta({ id: 'RouteChange', description: 'The effects of a change of a route.' });

const showChange = (change: RouteChange): z.output<typeof changeView> => ({
  dry_run: change.isDryRun,
  tld: change.tld,
  from: change.from,
  to: change.to,
  staying: countsOf(change.staying),
  pending: change.pending,
  rules: [...change.rules],
  costs: change.costs.map(({ before, after, ...cost }) => ({
    ...cost,
    before: before && showMoney(before),
    after: after && showMoney(after),
  })),
  below_cost: change.belowCost.map(({ price, cost, ...item }) => ({
    ...item,
    price: showMoney(price),
    cost: showMoney(cost),
  })),
  unpriced: [...change.unpriced],
});

export const setRouteRoute = route({
  method: 'PUT',
  path: '/operator/routes/{tld}',
  sudo: true,
  area: 'account',
  scope: 'full',
  style: 'own',
  summary: 'Set the route of a TLD',
  description:
    'Sends new registrations and transfers in of a TLD to another registry that serves it. Existing domains and open orders stay at their registry. Refused with 409 if the catalogue has no entry of the TLD for the registry, or if costs or prices are missing. Only for the operator; written to the audit log.',
  input: z.object({
    tld: text({ max: 63, about: 'The TLD, with or without its dot.', example: 'com' }),
    registry_id: text({ max: 40, about: 'A registry that serves the TLD.', example: 'resellerclub' }),
    dry_run: flag('Dry run: only return what would change.').optional(),
    allow_missing_prices: flag('Set the route although costs or prices are missing.').optional(),
  }),
  output: changeView,
  errors: ['invalid_argument', 'operator_only', 'not_found', 'conflict'],
  example: {
    input: { tld: 'com', registry_id: 'resellerclub', dry_run: true },
    first: 'requires a second registry that serves the TLD; enter its id',
    output: {
      dry_run: true,
      tld: 'com',
      from: 'verisign',
      to: 'resellerclub',
      staying: [{ registry_id: 'verisign', domains: 1200 }],
      pending: 2,
      rules: [{ rule: 'grace_days.add', before: '5', after: '0' }],
      costs: [
        {
          action: 'create',
          years: 1,
          before: { amount: '10.26', currency: 'USD' },
          after: { amount: '10.99', currency: 'USD' },
        },
      ],
      below_cost: [],
      unpriced: [],
    },
  },
  render: showChange,
  answer: async (ctx, caller, { tld, registry_id, dry_run = false, allow_missing_prices = false }) =>
    showChange(
      await setRoute(ctx, caller, {
        tld,
        registryId: registry_id,
        isDryRun: dry_run,
        allowsMissingPrices: allow_missing_prices,
      }),
    ),
});
