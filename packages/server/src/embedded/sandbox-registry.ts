import { readFileSync } from 'node:fs';
import { formatMoney, money } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import { sandboxNamespaces, sandboxTlds } from '@namehold/sandbox/tlds/index';
import { systemActor } from '../core/actors.ts';
import type { AppContext } from '../core/app-context.ts';
import { audit } from '../core/audit/audit.ts';
import { postMoney } from '../core/ledger/fund.ts';
import { setPrices, type WrittenPrice } from '../core/pricing/set-price.ts';
import { setRules } from '../core/pricing/set-rules.ts';
import { connectRegistry } from '../core/registries/connect.ts';
import { findRegistry, recordSecureAuthInfoOffer } from '../core/registries/registry.sql.ts';
import { sandboxSource, seedCatalogue } from '../core/tlds/seed.ts';
import { catalogueSource } from '../core/tlds/tld.sql.ts';
import { sandboxProfile } from '../registries/profiles/sandbox.ts';
import { sandboxCatalogue, sandboxRegistryId } from './sandbox-catalogue.ts';
import type { SandboxState } from './sandbox-process.ts';

const demoFunds = money(1_000_000n, 'USD');
const privacyPrice = '3.00';

/** Connects the sandbox registry in the same way as an operator connects a real one. */
export async function connectSandbox(ctx: AppContext, state: SandboxState): Promise<void> {
  const account = state.accounts[0]!;
  const timeoutMs = ctx.config.sandboxReplyTimeoutMs;
  // The number of sessions set by the operator stays.
  const known = await findRegistry(ctx.db.as(allTenants), sandboxRegistryId);
  const { limits } = (known?.profile ?? sandboxProfile) as Pick<typeof sandboxProfile, 'limits'>;
  await connectRegistry(ctx, {
    id: sandboxRegistryId,
    profile: {
      ...sandboxProfile,
      limits: { ...sandboxProfile.limits, sessions: limits.sessions },
      holdings_url: `http://127.0.0.1:${state.control_port}/names`,
      timeouts: {
        ...sandboxProfile.timeouts,
        transformMs: timeoutMs,
        queryMs: Math.min(timeoutMs, sandboxProfile.timeouts.queryMs),
      },
    },
    host: state.host,
    port: state.port,
    serverName: 'localhost',
    clientId: account.client_id,
    password: account.password,
    caPem: readFileSync(state.ca_file, 'utf8'),
    certificatePem: readFileSync(account.cert_file, 'utf8'),
    keyPem: readFileSync(account.key_file, 'utf8'),
    tlds: sandboxTlds.map(({ tld }) => tld),
    confirmsTlds: true,
    // TLDs that an operator gave to another registry stay there.
    keepsRoutes: true,
  });
  await ctx.db.transaction(allTenants, async (tx) => {
    // Otherwise the first greeting would be news, and every open connection would be replaced for it.
    await recordSecureAuthInfoOffer(tx, sandboxRegistryId, sandboxNamespaces.secureAuthInfo !== undefined);
    // Entries loaded by the operator stay.
    if ([undefined, sandboxSource].includes(await catalogueSource(tx)))
      await seedCatalogue(ctx, tx, sandboxCatalogue());
  });
}

/** Prices for everything that the sandbox sells, and money on the demo account, so that the README example can buy a domain. */
export async function seedMoney(ctx: AppContext, demoResellerId: string): Promise<void> {
  const costs: WrittenPrice[] = [];
  const prices: WrittenPrice[] = [];
  for (const { tld, fees, currency } of sandboxTlds) {
    for (const action of ['create', 'renew', 'transfer', 'restore'] as const) {
      const cost = money(fees[action], currency);
      costs.push({ tld, action, years: 1, amount: formatMoney(cost), currency });
      prices.push({ tld, action, years: 1, amount: formatMoney(money(withMargin(cost.amount), currency)), currency });
    }
    if (!tld.endsWith('id')) prices.push({ tld, action: 'privacy', years: 1, amount: privacyPrice, currency });
  }
  await setPrices(ctx, systemActor, 'cost', costs);
  await setPrices(ctx, systemActor, 'reseller', prices);
  // Premium domains cost the registry fee plus a margin, which needs a price rule on every level.
  await setRules(ctx, systemActor, 'reseller', [{ kind: 'percent', percent: '15' }]);
  // The demo reseller has selling prices too, because panels report an empty price list as an error.
  const demo = { ...systemActor, resellerId: demoResellerId, isOperator: false };
  await setRules(ctx, demo, 'customer', [{ kind: 'percent', percent: '20' }]);
  await setRules(ctx, demo, 'reseller', [{ kind: 'percent', percent: '10' }]);
  await ctx.db.transaction(allTenants, async (tx) => {
    const deposit = await postMoney(ctx, tx, {
      posting: 'fund',
      funderId: systemActor.resellerId,
      resellerId: demoResellerId,
      amount: demoFunds,
      description: 'Opening balance of the demo account',
    });
    const change = { action: 'reseller.fund', objectType: 'transaction', objectId: deposit.id, after: deposit };
    await audit(ctx, tx, systemActor, change);
  });
}

/** A margin of a fifth; the price ends in 9 cents. */
function withMargin(cost: bigint): bigint {
  return ((cost * 12n) / 10n / 10n) * 10n + 9n;
}
