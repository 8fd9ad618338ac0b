import { formatMoney, money } from '@namehold/base';
import { z } from 'zod';
import { audiences, priceActions, priceLimits } from '../../../core/pricing/price.ts';
import { simulatePrices } from '../../../core/pricing/price-list.ts';
import { type RuleSet, readRules, setRules } from '../../../core/pricing/set-rules.ts';
import { flag, oneOf, text } from '../../field.ts';
import { route } from '../../route.ts';
import { moneyView, showMoney } from '../billing/money-view.ts';
import { priceListView, showPriceList } from '../billing/price-list-view.ts';
import { currencyCode } from '../common/currency-field.ts';
import { withCoreNames } from '../common/field-names.ts';

const ruleView = z
  .object({
    audience: z.enum(audiences),
    tld: z.string().nullable().describe('Null: all TLDs.'),
    action: z.enum(priceActions).nullable().describe('Null: all actions.'),
    kind: z.enum(['fixed', 'percent']),
    percent: z.string().nullable(),
    amount: moneyView.nullable().describe('Added for each year.'),
    rounding_step: z.string().nullable(),
    rounding_ending: z.string().nullable(),
  })
  .meta({ id: 'PriceRule', description: 'How selling prices are calculated.' });
const rulesView = z
  .object({
    currency: z.string(),
    rules: z.array(ruleView),
    unknown_tlds: z
      .array(z.string())
      .describe('Not in the catalogue. Their rules are stored, but the TLDs cannot be ordered yet.'),
  })
  .meta({ id: 'PriceRules', description: 'The rules of the account for its selling prices.' });

const decimal = (about: string, example: string, pattern: RegExp, must = 'Must be a number such as 12.50.') =>
  text({ max: 20, about, example, pattern, must });
const anySum = /^-?\d{1,12}(\.\d{1,6})?$/;
const sum = /^\d{1,12}(\.\d{1,6})?$/;
const moreThanZero = /^(?=.*[1-9])\d{1,12}(\.\d{1,6})?$/;
/** At -100 the price is zero. */
const share = /^(-?\d{1,2}(\.\d{1,2})?|-100(\.00?)?|\d{3,4}(\.\d{1,2})?)$/;
const shareMessage = 'Must be a percentage from -100 to 9999.99 with at most two decimal places.';

const ruleInput = z.strictObject({
  tld: text({ max: 63, about: 'Only this TLD. Default: all.', example: 'com' }).optional(),
  action: oneOf(priceActions, 'Only this action. Default: all.').optional(),
  kind: oneOf(['fixed', 'percent'], 'Whether a fixed amount or a percentage is added to your cost.'),
  percent: decimal('With percent: 12.5 adds an eighth.', '12.5', share, shareMessage).optional(),
  amount: decimal('With fixed: the amount added for each year.', '2.00', anySum).optional(),
  currency: currencyCode('Currency of amount and rounding. Default: your selling currency.').optional(),
  rounding_step: decimal(
    'Round the price up to a multiple of this.',
    '1.00',
    moreThanZero,
    'Must be greater than 0, for example 1.00.',
  ).optional(),
  rounding_ending: decimal(
    'Ending of rounded prices, less than the step: 0.99 with step 1.00 gives prices ending in .99.',
    '0.99',
    sum,
  ).optional(),
});

function showRules({ currency, rules, unknownTlds }: RuleSet): z.output<typeof rulesView> {
  return {
    currency,
    rules: rules.map((rule) => {
      const of = rule.currency ?? currency;
      const minor = (amount: string) => formatMoney(money(BigInt(amount), of));
      const points = Math.abs(rule.basis_points ?? 0);
      const sign = (rule.basis_points ?? 0) < 0 ? '-' : '';
      return {
        audience: rule.audience,
        tld: rule.tld,
        action: rule.action,
        kind: rule.kind,
        percent:
          rule.basis_points === null
            ? null
            : `${sign}${Math.trunc(points / 100)}.${String(points % 100).padStart(2, '0')}`,
        amount: rule.amount === null ? null : showMoney(money(BigInt(rule.amount), of)),
        rounding_step: rule.rounding_step === null ? null : minor(rule.rounding_step),
        rounding_ending: rule.rounding_step === null ? null : minor(rule.rounding_ending),
      };
    }),
    unknown_tlds: [...unknownTlds],
  };
}

const setView = z
  .object({
    ...rulesView.shape,
    prices: z
      .object({ before: priceListView, after: priceListView })
      .nullable()
      .describe('With dry_run: the current prices, and the prices under the new rules.'),
  })
  .meta({
    id: 'PriceRulesSet',
    description: 'The rules of the account for its selling prices, and the price changes.',
  });
const showSet = (set: RuleSet): z.output<typeof setView> => ({ ...showRules(set), prices: null });

const example: z.output<typeof rulesView> = {
  currency: 'USD',
  rules: [
    {
      audience: 'customer',
      tld: null,
      action: null,
      kind: 'percent',
      percent: '20.00',
      amount: null,
      rounding_step: '1.00',
      rounding_ending: '0.99',
    },
  ],
  unknown_tlds: [],
};

export const readPriceRulesRoute = route({
  method: 'GET',
  path: '/account/price_rules',
  area: 'account',
  style: 'own',
  summary: 'Read your price rules',
  description:
    'Rules for the prices for sub-resellers and customers, relative to your cost. They apply where a price list has no price.',
  input: z.object({}),
  output: rulesView,
  errors: [],
  example: { output: example },
  answer: async (ctx, caller) => showRules(await readRules(ctx, caller)),
});

export const setPriceRulesRoute = route({
  method: 'PUT',
  path: '/account/price_rules',
  sudo: true,
  area: 'account',
  style: 'own',
  summary: 'Set your price rules',
  description:
    'Replaces all rules of one audience immediately. The most specific rule applies: a rule for a TLD before one for an action, and both before a general rule. With `dry_run=true` nothing is stored. The response then has the current rules, with the prices before and after.',
  bodyValues: 12 * priceLimits.rulesPerAudience,
  input: z.object({
    audience: oneOf(audiences, 'Audience of the rules: sub-resellers or customers.'),
    rules: z.array(ruleInput).max(priceLimits.rulesPerAudience),
    dry_run: flag('Store nothing; only return the resulting prices.').optional(),
  }),
  output: setView,
  errors: [],
  example: {
    input: {
      audience: 'customer',
      rules: [{ kind: 'percent', percent: '20', rounding_step: '1.00', rounding_ending: '0.99' }],
    },
    output: { ...example, prices: null },
  },
  render: showSet,
  async answer(ctx, caller, { audience, rules, dry_run }) {
    const written = rules.map(withCoreNames);
    if (!dry_run) return showSet(await setRules(ctx, caller, audience, written));
    const { before, after } = await simulatePrices(ctx, caller, audience, written);
    const prices = { before: showPriceList(before), after: showPriceList(after) };
    return { ...showRules(await readRules(ctx, caller)), prices };
  },
});
