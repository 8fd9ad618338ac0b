import type { Tx } from '@namehold/postgres';
import { everything } from '../accounts/everything.ts';
import { type Actor, type AppContext, writeAsService } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, notFound, Refusal } from '../errors.ts';
import { findRegistry } from '../registries/registry.sql.ts';
import {
  lockRoutes,
  moveRoute,
  pendingAt,
  type RouteRow,
  rulesOfRoutes,
  selectRoutes,
} from '../registries/route.sql.ts';
import { tldName } from '../tlds/read.ts';
import {
  type CostDifference,
  costDifferences,
  type PricesThere,
  pricesThere,
  type RuleDifference,
  ruleDifferences,
} from './route-differences.ts';

/** Where new registrations and transfers in of each TLD go, and which other registries serve it. */
export function readRoutes(ctx: AppContext, actor: Actor): Promise<RouteRow[]> {
  return selectRoutes(everything(ctx, actor), null);
}

interface RouteOrder {
  readonly tld: string;
  readonly registryId: string;
  readonly isDryRun: boolean;
  /** Sets the route although costs or prices are missing. */
  readonly allowsMissingPrices?: boolean | undefined;
}

export interface RouteChange extends PricesThere {
  readonly tld: string;
  /** Null: the TLD had no route. */
  readonly from: string | null;
  readonly to: string;
  readonly isDryRun: boolean;
  readonly rules: readonly RuleDifference[];
  readonly costs: readonly CostDifference[];
  /** Domains that stay at other registries, by registry. */
  readonly staying: Readonly<Record<string, number>>;
  /** Unfinished registrations and transfers in that stay at the former registry. */
  readonly pending: number;
}

/**
 * Sends new registrations and transfers in of a TLD to another registry that serves it. Existing domains and orders stay where they are,
 * with the rules and costs there.
 */
export async function setRoute(ctx: AppContext, actor: Actor, order: RouteOrder): Promise<RouteChange> {
  const db = everything(ctx, actor);
  const tld = tldName(order.tld);
  const [row] = tld === undefined ? [] : await selectRoutes(db, tld);
  if (!row) throw notFound('TLD');
  const change = await changeOf(ctx, actor, row, order);
  if (order.isDryRun) return change;
  if (!order.allowsMissingPrices) refuseMissing(change);
  return writeAsService(ctx, actor, async (tx) => {
    if (change.from !== change.to) await move(ctx, tx, actor, change);
    return change;
  });
}

async function changeOf(ctx: AppContext, actor: Actor, row: RouteRow, order: RouteOrder): Promise<RouteChange> {
  const db = everything(ctx, actor);
  const { tld, registry_id: from } = row;
  const { registryId: to, isDryRun } = order;
  const registry = await findRegistry(db, to);
  if (!registry) throw badField('registry_id', `There is no registry ${to}.`, 'not_found');
  const { [to]: _, ...staying } = row.domains;
  const bare = { tld, from, to, isDryRun, staying, rules: [], costs: [], belowCost: [], unpriced: [], pending: 0 };
  if (from === to) return bare;
  if (!registry.is_active) throw new Refusal('conflict', `Registry ${to} is not active.`);
  if (!row.alternatives.includes(to))
    throw new Refusal('conflict', `Registry ${to} does not serve .${tld}. Connect it with this TLD first.`);
  const rules = await rulesOfRoutes(db, tld, to);
  if (rules && !rules.coming)
    throw new Refusal(
      'conflict',
      `The catalogue has no entry of .${tld} for registry ${to}. Add one with "registry": "${to}" and load it with namehold tld load.`,
    );
  const yearsMax = rules?.coming?.periods.max_years ?? 1;
  const asked = { tld, from, to, yearsMax };
  return {
    ...bare,
    ...(await pricesThere(ctx, asked)),
    rules: rules?.coming ? ruleDifferences(rules.present, rules.coming) : [],
    costs: await costDifferences(ctx, asked),
    pending: from === null ? 0 : await pendingAt(db, tld, from),
  };
}

/** Orders could not be priced, or their costs would not be booked. */
function refuseMissing({ tld, to, costs, unpriced }: RouteChange): void {
  const uncosted = costs.filter(({ before, after }) => before !== null && after === null).map(({ action }) => action);
  const missing = [
    ...(uncosted.length > 0 ? [`costs of ${uncosted.join(', ')}`] : []),
    ...unpriced.map(({ audience, action }) => `a price for ${action} (${audience})`),
  ];
  if (missing.length === 0) return;
  throw new Refusal(
    'conflict',
    `Registry ${to} lacks ${missing.join(', ')} for .${tld}. Import them first, or allow missing prices.`,
  );
}

async function move(ctx: AppContext, tx: Tx, actor: Actor, change: RouteChange): Promise<void> {
  const { tld, from, to, rules, costs } = change;
  await lockRoutes(tx, 'change');
  const [present] = await selectRoutes(tx, tld);
  if (present?.registry_id !== from || !present.alternatives.includes(to))
    throw new Refusal('conflict', `The route of .${tld} was changed meanwhile. Nothing was changed now.`);
  await moveRoute(tx, tld, to, ctx.clock.now());
  await audit(ctx, tx, actor, {
    action: 'route.set',
    objectType: 'tld',
    objectId: tld,
    before: { registry_id: from },
    after: { registry_id: to, rules, costs },
  });
}
