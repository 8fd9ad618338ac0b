import { createHash } from 'node:crypto';
import { allTenants } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { badField, Refusal } from '../errors.ts';
import type { Trial, TrialFailure, UpstreamService, UpstreamTrial } from '../ports/upstream-accounts.ts';
import type { UpstreamImportReport } from '../pricing/import-upstream.ts';
import type { UpstreamPrices } from '../pricing/upstream-prices.ts';
import type { ChangedRoutes } from '../registries/connect.ts';
import { findRegistry, tldMoves } from '../registries/registry.sql.ts';
import {
  connectionTo,
  hostOf,
  loadProposal,
  loginOf,
  type Pricing,
  proposeSetup,
  remedyFor,
  type StatedAccount,
  storeConnection,
  tldsToSell,
  type UpstreamConnection,
} from './set-up.ts';

/** Setup of an account at an upstream by the operator API, within the time of one request. */
export const upstreamTestLimits = {
  /** All queries of one request. An Idempotency-Key is held for longer. */
  totalMs: 20_000,
  /** In this process. An upstream may block an account after too many requests. */
  concurrent: 2,
  /** TLDs of one request. */
  tlds: 200,
};

const retrySeconds = 5;

/** The known services, by name. */
export function upstreamServices(ctx: AppContext, actor: Actor): readonly (readonly [string, UpstreamService])[] {
  if (!actor.isOperator) throw new Refusal('operator_only');
  return Object.entries(ctx.upstreamAccounts.services);
}

export interface UpstreamTest {
  readonly connection: UpstreamConnection;
  readonly trial: Trial;
  /** Null: the account can be used. */
  readonly remedy: string | null;
}

/** Queries balance, TLDs and domains of an account. Stores nothing. */
export async function testUpstream(
  ctx: AppContext,
  actor: Actor,
  service: string,
  stated: StatedAccount,
): Promise<UpstreamTest> {
  return withTrial(ctx, actor, service, stated, async (opened, connection) => {
    const trial = await opened.run();
    return { connection, trial, remedy: trial.ok ? null : remedyFor(trial.problem, connection) };
  });
}

interface UpstreamOrder {
  readonly service: string;
  readonly account: StatedAccount;
  readonly tlds: readonly string[];
  readonly pricing: Omit<Pricing, 'takesRoutes'>;
  /** Takes the routes of TLDs that lead to other registries, and allows TLDs of this one to be left without a route. */
  readonly confirmsTlds: boolean;
  readonly isDryRun: boolean;
  /** That of the dry run: other prices are refused. */
  readonly preview?: string | undefined;
}

export interface UpstreamAdded {
  readonly id: string;
  readonly tlds: readonly string[];
  readonly balance: string | null;
  readonly currency: string;
  readonly moves: ChangedRoutes;
  /** Null in a dry run, and if the catalogue had these TLDs already. */
  readonly catalogueVersion: number | null;
  readonly prices: UpstreamImportReport | undefined;
  /** Identifies these prices. */
  readonly preview: string;
}

/** Tests the account, stores its connection, and loads catalogue and prices. A dry run stores nothing. */
export async function addUpstream(ctx: AppContext, actor: Actor, order: UpstreamOrder): Promise<UpstreamAdded> {
  const { isDryRun, confirmsTlds } = order;
  const pricing = { ...order.pricing, takesRoutes: confirmsTlds };
  return withTrial(ctx, actor, order.service, order.account, async (trial, connection) => {
    const { id, currency } = connection;
    await requireSameAccount(ctx, connection);
    const found = await trial.run({ countsDomains: false });
    if (!found.ok) throw failure(found, connection);
    const tlds = tldsToSell(order.tlds, found.offered);
    const proposal = await proposeSetup(ctx, trial, connection, { tlds, offered: found.offered }, pricing);
    if ('problem' in proposal) throw failure(proposal, connection);
    const preview = digestOf(proposal.prices);
    const common = { id, tlds, balance: found.balance, currency, preview };
    if (isDryRun) {
      const moves = await routesAfter(ctx, id, tlds, confirmsTlds);
      const prices = proposal.prices && { ...proposal.prices, refused: [] };
      return { ...common, moves, catalogueVersion: null, prices };
    }
    if (order.preview !== undefined && order.preview !== preview)
      throw new Refusal(
        'precondition_failed',
        'The prices have changed since the preview. Nothing was stored. Look at the new preview.',
      );
    const moves = await storeConnection(ctx, actor, connection, tlds, confirmsTlds);
    const loaded = await loadProposal(ctx, actor, id, proposal, pricing.audience);
    return { ...common, moves, ...loaded };
  });
}

/** As `connectRegistry` would change them. */
async function routesAfter(
  ctx: AppContext,
  id: string,
  tlds: readonly string[],
  takesRoutes: boolean,
): Promise<ChangedRoutes> {
  const { taken, left } = await tldMoves(ctx.db.as(allTenants), id, tlds);
  if (takesRoutes) return { taken, left, alternative: [] };
  return { taken: [], left, alternative: taken.map(({ tld, from: route }) => ({ tld, route })) };
}

let running = 0;

async function withTrial<T>(
  ctx: AppContext,
  actor: Actor,
  service: string,
  stated: StatedAccount,
  work: (trial: UpstreamTrial, connection: UpstreamConnection) => Promise<T>,
): Promise<T> {
  if (!actor.isOperator) throw new Refusal('operator_only');
  const accounts = ctx.upstreamAccounts;
  const connection = connectionTo(accounts, service, stated);
  requireAllowedHost(ctx, connection, stated);
  if (running >= upstreamTestLimits.concurrent)
    throw new Refusal('rate_limited', 'Other accounts are being tested. Try again in some seconds.', {
      retryAfterSeconds: retrySeconds,
    });
  running += 1;
  try {
    const trial = await accounts.openTrial(ctx, loginOf(connection), { limitMs: upstreamTestLimits.totalMs });
    return await work(trial, connection).finally(() => trial.close());
  } finally {
    running -= 1;
  }
}

/** Outside of the sandbox, requests go only to the hosts of known services, or to a public name (SSRF). */
function requireAllowedHost(ctx: AppContext, { service, host, port }: UpstreamConnection, stated: StatedAccount): void {
  if (ctx.config.mode === 'sandbox') return;
  const known = hostOf(service, stated.isTestSystem);
  const isKnown = known === undefined ? isPublicName(host) && port === 443 : host === known;
  if (isKnown && (known === undefined || port === (service.port ?? 443))) return;
  throw badField(
    known === undefined || host !== known ? 'upstreamHost' : 'upstreamPort',
    'Other hosts and ports are connected with namehold registry add --upstream.',
  );
}

const localEndings = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa)$/;
const isPublicName = (host: string): boolean =>
  /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(host) &&
  !localEndings.test(host);

/** A mistyped id must not replace the connection of another account. The same account may get another key or other TLDs. */
async function requireSameAccount(ctx: AppContext, { id, host, port, clientId }: UpstreamConnection): Promise<void> {
  const present = await findRegistry(ctx.db.as(allTenants), id);
  if (!present || (present.host === host && present.port === port && present.client_id === clientId)) return;
  throw new Refusal('already_exists', `Another account is connected as ${id}. Choose another id.`, {
    errors: [
      {
        field: 'registryId',
        code: 'already_exists',
        message: `Another account is connected as ${id}. Choose another id.`,
      },
    ],
  });
}

const fieldOf: Partial<Record<TrialFailure['problem'], string>> = { login: 'secret', currency: 'currency' };

function failure({ problem, why }: TrialFailure, connection: UpstreamConnection): Refusal {
  const { title } = connection.service;
  const said = why.replace(/\.$/, '');
  const remedy = remedyFor(problem, connection);
  const field = fieldOf[problem];
  if (field) return badField(field, `${title} refused the test: ${said}. ${remedy}`);
  return new Refusal('registry_unavailable', `${title} refused the test: ${said}. ${remedy} Nothing was stored.`, {
    facts: { problem, upstreamMessage: why },
  });
}

function digestOf(prices: UpstreamPrices | undefined): string {
  const text = JSON.stringify([prices?.costs ?? [], prices?.prices ?? []], (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
