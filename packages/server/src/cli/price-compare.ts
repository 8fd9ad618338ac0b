import { formatMoney, type Money } from '@namehold/base';
import { operatorId } from '../core/actors.ts';
import {
  type ComparedAction,
  type CostComparison,
  compareCosts,
  type OfferedCost,
  type Uncompared,
} from '../core/pricing/compare-costs.ts';
import { type Command, cliActor, optional, UsageError } from './command.ts';

export const priceCompare: Command = {
  name: 'price compare',
  summary: 'Compare what the registries of each TLD charge, the cheapest first',
  usage: 'price compare [--tlds com,net] [--years 1] [--currency CODE]',
  options: {
    tlds: { type: 'string', about: 'Only these TLDs, comma-separated; default: TLDs that several registries serve.' },
    years: { type: 'string', about: 'The number of years of registrations and renewals; default: 1.' },
    currency: { type: 'string', about: "Currency of the comparison; default: the operator's selling currency." },
  },
  async run(call) {
    const years = optional(call, 'years');
    if (years !== undefined && !/^\d{1,2}$/.test(years)) throw new UsageError('--years must be a number from 1 to 10');
    const question = {
      tlds: optional(call, 'tlds')?.split(','),
      years: years === undefined ? undefined : Number(years),
      currency: optional(call, 'currency')?.toUpperCase(),
    };
    const found = await call.tools.withContext((ctx) => compareCosts(ctx, cliActor(operatorId), question));
    return { lines: linesOf(found), json: jsonOf(found) };
  },
};

const text = ({ amount, currency }: Money): string => `${formatMoney({ amount, currency })} ${currency}`;
const dateOf = (at: Date): string => at.toISOString().slice(0, 10);
const routeMark = ({ isRoute }: { readonly isRoute: boolean }): string => (isRoute ? '  (route)' : '');

function linesOf({ currency, at, compared, unserved }: CostComparison): string[] {
  const lines = compared.flatMap((each) => [
    `.${each.tld} ${each.action}${each.years === 1 ? '' : ` ${each.years} years`}`,
    ...each.offers.map((offer) => `  ${offerText(offer)}`),
    ...each.uncompared.map((offer) => `  ${uncomparedText(offer, currency)}`),
  ]);
  return [
    ...(compared.length === 0 ? ['no TLD has costs at several registries; name TLDs with --tlds'] : lines),
    ...unserved.map((tld) => `.${tld} is served by no registry`),
    `costs of ${dateOf(at)} in ${currency}`,
  ];
}

function offerText(offer: OfferedCost): string {
  const { registryId, cost, converted, rate, since } = offer;
  const own = rate === null ? '' : `  (${text(cost)} at ${rate.rate}${marginText(rate)} of ${dateOf(rate.valid_from)})`;
  return `${text(converted)}  ${registryId}${own}  since ${dateOf(since)}${routeMark(offer)}`;
}

const marginText = ({ margin_basis_points: margin }: { readonly margin_basis_points: number }): string =>
  margin === 0 ? '' : ` + ${margin / 100} %`;

function uncomparedText(offer: Uncompared, currency: string): string {
  const { registryId, reason, cost } = offer;
  const why = {
    no_cost: 'has no cost in the list',
    no_exchange_rate: `charges ${cost ? text(cost) : ''}, and there is no exchange rate to ${currency}`,
    other_currency: `is listed with ${cost ? text(cost) : ''}, which is not the currency in which it charges`,
  };
  return `not compared: ${registryId} ${why[reason]}${routeMark(offer)}`;
}

const jsonOf = ({ currency, at, compared, unserved }: CostComparison) => ({
  currency,
  at: at.toISOString(),
  costs: compared.map(comparedJson),
  unserved,
});

const amountOf = (money: Money | null) => money && { amount: formatMoney(money), currency: money.currency };

const comparedJson = ({ offers, uncompared, ...item }: ComparedAction) => ({
  ...item,
  offers: offers.map(({ registryId, isRoute, cost, converted, rate, since }) => ({
    registry_id: registryId,
    is_route: isRoute,
    cost: amountOf(cost),
    since: since.toISOString(),
    converted: amountOf(converted),
    rate: rate && {
      rate: rate.rate,
      margin_percent: String(rate.margin_basis_points / 100),
      valid_from: rate.valid_from.toISOString(),
    },
  })),
  uncompared: uncompared.map(({ registryId, isRoute, reason, cost }) => ({
    registry_id: registryId,
    is_route: isRoute,
    reason,
    cost: amountOf(cost),
  })),
});
