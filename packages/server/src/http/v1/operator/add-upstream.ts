import { formatMoney } from '@namehold/base';
import { z } from 'zod';
import { audiences } from '../../../core/pricing/price.ts';
import type { LossMaking, PriceChange } from '../../../core/pricing/upstream-prices.ts';
import { addUpstream, type UpstreamAdded, upstreamTestLimits } from '../../../core/upstreams/add.ts';
import { badParameter } from '../../errors.ts';
import { amount, flag, list, oneOf, text } from '../../field.ts';
import { route } from '../../route.ts';
import { instantOrNull } from '../../wire.ts';
import { currencyCode } from '../common/currency-field.ts';
import {
  accountExample,
  accountInput,
  balanceText,
  needsAccount,
  statedAccount,
  testCost,
} from './upstream-account.ts';

const changeView = z.object({
  tld: z.string().describe('The TLD.'),
  action: z.string(),
  years: z.number(),
  currency: z.string(),
  before: z.string().nullable().describe('Null: none is stored.'),
  after: z.string().describe('The new value.'),
  from: z.string().nullable().describe('Null: it applies now.'),
});

const showChange = ({ before, after, from, currency, ...change }: PriceChange): z.output<typeof changeView> => ({
  ...change,
  currency,
  before: before === null ? null : formatMoney({ amount: before, currency }),
  after: formatMoney({ amount: after, currency }),
  from: instantOrNull(from),
});

const lossView = z.object({
  tld: z.string().describe('The TLD.'),
  action: z.string(),
  years: z.number(),
  currency: z.string(),
  price: z.string(),
  cost: z.string().describe('The cost at the upstream.'),
  from: z.string().nullable().describe('Null: now.'),
});

const showLoss = ({ price, cost, from, ...item }: LossMaking): z.output<typeof lossView> => ({
  ...item,
  currency: price.currency,
  price: formatMoney(price),
  cost: formatMoney(cost),
  from: instantOrNull(from),
});

const addedView = z.object({
  dry_run: z.boolean(),
  registry_id: z.string(),
  balance: balanceText,
  currency: z.string(),
  tlds: z.array(z.string()).describe('TLDs that the registry serves now.'),
  moved_tlds: z
    .array(
      z.object({
        tld: z.string().describe('The TLD.'),
        from_registry_id: z.string().describe('The registry of the route before.'),
      }),
    )
    .describe('TLDs whose new domains went to another registry. They go to this one now.'),
  alternative_tlds: z
    .array(
      z.object({
        tld: z.string().describe('The TLD.'),
        route_registry_id: z.string().describe('The registry of the route, which stays.'),
      }),
    )
    .describe('TLDs that another registry serves too. New domains still go there, without `confirm_tlds`.'),
  removed_tlds: z.array(z.string()).describe('TLDs that this registry served, and that no registry serves now.'),
  catalogue_version: z.number().nullable().describe('Null: a dry run, or the catalogue had these TLDs already.'),
  has_price_list: z.boolean().describe('false: import the costs from a CSV file.'),
  costs: z.array(changeView).describe('Costs that change.'),
  prices: z.array(changeView).describe('Selling prices that change. Empty without a margin.'),
  unpriced_tlds: z.array(z.string()).describe('TLDs with a cost that the price list does not contain.'),
  below_cost: z.array(lossView).describe('Selling prices below the cost.'),
  refused: z
    .array(
      z.object({
        target: z.string().describe('The line of the list.'),
        line: z.string(),
        reason: z.string(),
      }),
    )
    .describe('Prices that were not stored.'),
  preview: z.string().describe('Identifies these prices, for the call without `dry_run`.'),
});

const showAdded = (added: UpstreamAdded, dry_run: boolean): z.output<typeof addedView> => ({
  dry_run,
  registry_id: added.id,
  balance: added.balance,
  currency: added.currency,
  tlds: [...added.tlds],
  moved_tlds: added.moves.taken.map(({ tld, from }) => ({ tld, from_registry_id: from })),
  alternative_tlds: added.moves.alternative.map(({ tld, route }) => ({ tld, route_registry_id: route })),
  removed_tlds: [...added.moves.left],
  catalogue_version: added.catalogueVersion,
  has_price_list: added.prices !== undefined,
  costs: added.prices?.costs.map(showChange) ?? [],
  prices: added.prices?.prices.map(showChange) ?? [],
  unpriced_tlds: [...(added.prices?.vanished ?? [])],
  below_cost: added.prices?.lossMaking.map(showLoss) ?? [],
  refused: added.prices?.refused.map((each) => ({ ...each })) ?? [],
  preview: added.preview,
});

const costExample = { tld: 'org', action: 'create', years: 1, currency: 'USD', before: null, from: null };

export const addUpstreamRoute = route({
  method: 'POST',
  path: '/operator/upstreams',
  sudo: true,
  area: 'account',
  scope: 'full',
  style: 'own',
  cost: testCost,
  summary: 'Add an account at an upstream',
  description:
    'Tests the account, stores its connection, and loads the TLD catalogue, the costs and the selling prices. With `dry_run=true`, only returns what would be loaded. If nothing was stored, the refusal says why. The call can be repeated: the same account gets the new key and the new list of TLDs. Only for the operator; written to the audit log.',
  input: z.object({
    ...accountInput,
    registry_id: text({
      max: 40,
      pattern: /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/,
      must: 'must have only lower-case letters, digits and hyphens',
      about: 'Name of the connection here. Default: the name of the service.',
      example: 'rc',
    }).optional(),
    tlds: list({
      max: upstreamTestLimits.tlds,
      about: 'Complete list of the TLDs that this account sells.',
      example: ['org', 'net'],
    }),
    confirm_tlds: flag(
      'Sends new domains of TLDs that another registry serves to this one, and allows TLDs of this one to be removed. Default: false.',
    ).optional(),
    target: oneOf(audiences, 'The buyers of the selling prices. Default: reseller.').optional(),
    margin: text({
      max: 20,
      about:
        'Added to the cost: a percentage, or an amount for each year. Without it, selling prices stay as they are.',
      example: '15%',
    }).optional(),
    rounding_step: amount('Selling prices are raised to a multiple of this amount. Needs `margin`.').optional(),
    rounding_ending: amount('Ending of the raised prices. Needs `rounding_step`.').optional(),
    price_currency: currencyCode('Currency of the selling prices. Default: yours.').optional(),
    preview: text({
      max: 40,
      about: '`preview` of the dry run. If other prices would be loaded now, nothing is stored (412).',
    }).optional(),
    dry_run: flag('Dry run: only return what would be loaded.').optional(),
  }),
  output: addedView,
  errors: [
    'invalid_argument',
    'operator_only',
    'rate_limited',
    'already_exists',
    'conflict',
    'precondition_failed',
    'registry_unavailable',
  ],
  example: {
    input: { ...accountExample, registry_id: 'rc', tlds: ['org'], margin: '15%', dry_run: true },
    first: needsAccount,
    output: {
      dry_run: true,
      registry_id: 'rc',
      balance: '1250.00',
      currency: 'USD',
      tlds: ['org'],
      moved_tlds: [],
      alternative_tlds: [],
      removed_tlds: [],
      catalogue_version: null,
      has_price_list: true,
      costs: [{ ...costExample, after: '10.40' }],
      prices: [{ ...costExample, after: '11.96' }],
      unpriced_tlds: [],
      below_cost: [],
      refused: [],
      preview: 'k3JwFq0c5nHq1m3nZb6v2A',
    },
  },
  async answer(ctx, caller, input) {
    const { dry_run = false, margin, rounding_step, rounding_ending } = input;
    if (rounding_step !== undefined && margin === undefined)
      throw badParameter('margin', 'Required with rounding_step.');
    if (rounding_ending !== undefined && rounding_step === undefined)
      throw badParameter('rounding_step', 'Required with rounding_ending.');
    const added = await addUpstream(ctx, caller, {
      service: input.service.toLowerCase(),
      account: statedAccount(input, input.registry_id),
      tlds: input.tlds,
      confirmsTlds: input.confirm_tlds ?? false,
      pricing: {
        audience: input.target ?? 'reseller',
        margin:
          margin === undefined
            ? undefined
            : { added: margin, roundingStep: rounding_step, roundingEnding: rounding_ending },
        priceCurrency: input.price_currency?.toUpperCase(),
      },
      preview: input.preview,
      isDryRun: dry_run,
    });
    return showAdded(added, dry_run);
  },
});
