import { formatMoney, type Money } from '@namehold/base';
import { operatorId } from '../core/actors.ts';
import { type RouteChange, readRoutes, setRoute } from '../core/operator/routes.ts';
import type { RouteRow } from '../core/registries/route.sql.ts';
import { type Command, cliActor, positional } from './command.ts';

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

function describe({ tld, registry_id, alternatives, domains, is_offered }: RouteRow): string {
  const others = alternatives.length === 0 ? '' : `  alternatives ${alternatives.join(', ')}`;
  const held = Object.entries(domains)
    .map(([id, count]) => `${plural(count, 'domain')} at ${id}`)
    .join(', ');
  return `.${tld}  ${registry_id ?? 'no route'}${others}${held === '' ? '' : `  ${held}`}${is_offered ? '' : '  (not offered)'}`;
}

const list: Command = {
  name: 'route list',
  summary: 'List where new registrations and transfers in of each TLD go',
  usage: 'route list',
  async run({ tools }) {
    const routes = await tools.withContext((ctx) => readRoutes(ctx, cliActor(operatorId)));
    return { lines: routes.length === 0 ? ['no routes'] : routes.map(describe), json: { routes } };
  },
};

const set: Command = {
  name: 'route set',
  summary: 'Send new registrations and transfers in of a TLD to another registry',
  usage: 'route set TLD REGISTRY_ID [--dry-run] [--allow-missing-prices]',
  options: {
    'dry-run': { type: 'boolean', about: 'Only print what would change.' },
    'allow-missing-prices': { type: 'boolean', about: 'Set the route although costs or prices are missing.' },
  },
  async run(call) {
    const order = {
      tld: positional(call, 0, 'the TLD'),
      registryId: positional(call, 1, 'the id of the registry'),
      isDryRun: call.options['dry-run'] === true,
      allowsMissingPrices: call.options['allow-missing-prices'] === true,
    };
    const change = await call.tools.withContext((ctx) => setRoute(ctx, cliActor(operatorId), order));
    return { lines: linesOf(change), json: jsonOf(change) };
  },
};

const text = (money: Money | null): string => (money ? `${formatMoney(money)} ${money.currency}` : 'none');

function linesOf(change: RouteChange): string[] {
  const { tld, from, to, rules, costs, belowCost, unpriced, staying, pending, isDryRun } = change;
  if (from === to) return [`the route of .${tld} leads to ${to} already; nothing was changed`];
  const span = (years: number) => (years === 1 ? '' : ` ${years} years`);
  return [
    ...rules.map(({ rule, before, after }) => `rule   ${rule} ${before} -> ${after}`),
    ...costs.map(
      ({ action, years, before, after }) => `cost   ${action}${span(years)} ${text(before)} -> ${text(after)}`,
    ),
    ...belowCost.map(
      ({ audience, action, years, price, cost }) =>
        `below cost: ${action}${span(years)} is sold for ${text(price)} (${audience}) and costs ${text(cost)}`,
    ),
    ...unpriced.map(({ audience, action }) => `no price: ${action} (${audience})`),
    ...Object.entries(staying).map(([id, count]) => `${plural(count, 'domain')} at ${id}: no change`),
    ...(pending > 0 ? [`${plural(pending, 'unfinished order')} at ${from}: no change`] : []),
    isDryRun
      ? `the route of .${tld} would lead to ${to} (now ${from ?? 'none'}); nothing was changed`
      : `the route of .${tld} leads to ${to} (before ${from ?? 'none'})`,
  ];
}

const jsonOf = ({ isDryRun, costs, belowCost, ...change }: RouteChange) => ({
  dry_run: isDryRun,
  ...change,
  costs: costs.map(({ before, after, ...cost }) => ({ ...cost, before: amountOf(before), after: amountOf(after) })),
  below_cost: belowCost.map(({ price, cost, ...item }) => ({ ...item, price: amountOf(price), cost: amountOf(cost) })),
});

const amountOf = (money: Money | null) => money && { amount: formatMoney(money), currency: money.currency };

export const routeCommands: readonly Command[] = [list, set];
