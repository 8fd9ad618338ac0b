import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createServer } from 'node:net';
import { createSecureContext } from 'node:tls';
import { isCurrency } from '@namehold/base';
import { allTenants, type Tx } from '@namehold/postgres';
import { z } from 'zod';
import type { Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, Refusal } from '../errors.ts';
import { watchCostCurrency } from './currency.ts';
import { encryptionContext, type RegistrySecrets, saveRegistry, type TldMoves, tldMoves } from './registry.sql.ts';
import { lockRoutes } from './route.sql.ts';

export interface NewRegistry {
  readonly id: string;
  /** A registry profile: namespaces, limits, timeouts, rules by TLD. */
  readonly profile: { readonly limits: { readonly sessions: number } } & Record<string, unknown>;
  readonly host: string;
  readonly port: number;
  readonly clientId: string;
  readonly password: string;
  readonly serverName?: string | undefined;
  readonly caPem?: string | undefined;
  readonly certificatePem?: string | undefined;
  readonly keyPem?: string | undefined;
  readonly keyPassphrase?: string | undefined;
  /** SHA-256 of the public key that the server must have, base64. */
  readonly pins?: readonly string[] | undefined;
  readonly sourceAddress?: string | undefined;
  /** The currency in which it charges; default: as in its profile. */
  readonly currency?: string | undefined;
  readonly ciphers?: string | undefined;
  readonly tlds: readonly string[];
  /** Sets the routes of TLDs to this registry that lead to others, and allows TLDs of this one to be left without a route. */
  readonly confirmsTlds?: boolean | undefined;
  /** Routes that lead to other registries stay. */
  readonly keepsRoutes?: boolean | undefined;
}

const wayToIt = z.object({
  pins: z
    .array(z.string().regex(/^[A-Za-z0-9+/]{43}=$/, 'must be the SHA-256 of a public key (SPKI) in base64'))
    .max(10, 'must be ten at most')
    .optional(),
  sourceAddress: z.union([z.ipv4(), z.ipv6()], 'must be an IP address of this machine').optional(),
  ciphers: z
    .string()
    .max(1_000)
    .regex(/^[A-Za-z0-9_:!+@=-]+$/, 'must be a list of ciphers as OpenSSL writes it')
    .optional(),
});

async function requireWay(registry: NewRegistry): Promise<void> {
  const { error } = wayToIt.safeParse(registry);
  if (error) throw badField(String(error.issues[0]!.path[0]), error.issues[0]!.message);
  if (registry.ciphers !== undefined) requireCiphers(registry.ciphers);
  if (registry.sourceAddress !== undefined) await requireOwn(registry.sourceAddress);
  if (registry.keyPem) requireKey(registry.keyPem, registry.keyPassphrase);
}

function requireCiphers(ciphers: string): void {
  try {
    createSecureContext({ ciphers });
  } catch {
    throw badField('ciphers', `No cipher in this list is known: ${ciphers}.`);
  }
}

async function requireOwn(host: string): Promise<void> {
  const server = createServer();
  const isOwn = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen({ host, port: 0 }, () => resolve(true));
  });
  if (!isOwn) throw badField('sourceAddress', `This is not an address of this machine: ${host}.`);
  await new Promise((resolve) => server.close(resolve));
}

/** Checked here, not only at the first login. */
function requireKey(key: string, passphrase: string | undefined): void {
  try {
    createPrivateKey({ key, ...(passphrase === undefined ? {} : { passphrase }) });
  } catch {
    if (passphrase !== undefined) throw badField('keyPassphrase', 'The passphrase does not decrypt the key.');
    throw badField('key', 'Must be a private key in PEM. An encrypted key needs its passphrase.');
  }
}

const list = (tlds: readonly string[]): string => tlds.map((tld) => `.${tld}`).join(', ');

/** TLD changes that the operator must confirm. */
function requireMeant({ id, confirmsTlds }: NewRegistry, { left }: TldMoves): void {
  if (confirmsTlds || left.length === 0) return;
  throw new Refusal(
    'conflict',
    `Registry ${id} no longer serves ${list(left)}: domains there could not be ordered. To confirm this, add --confirm-tlds (API: confirm_tlds).`,
  );
}

function currencyOf({ currency, profile }: NewRegistry): string | null {
  const stated = currency ?? profile.currency;
  if (stated === undefined) return null;
  if (typeof stated !== 'string' || !isCurrency(stated))
    throw badField('currency', 'Must be an ISO 4217 currency code such as EUR.');
  return stated;
}

export interface ChangedRoutes extends TldMoves {
  /** Served by this registry too; their routes lead to others. */
  readonly alternative: readonly { readonly tld: string; readonly route: string }[];
}

/**
 * Connects a registry, or changes its connection. Password and key are encrypted. `actor`: who does it, for the audit log;
 * left out for the service's own sandbox.
 */
export async function connectRegistry(ctx: AppContext, registry: NewRegistry, actor?: Actor): Promise<ChangedRoutes> {
  await requireWay(registry);
  const secrets: RegistrySecrets = {
    password: registry.password,
    key_pem: registry.keyPem ?? null,
    ...(registry.keyPassphrase === undefined ? {} : { key_passphrase: registry.keyPassphrase }),
  };
  const moved = await ctx.db.transaction(allTenants, async (tx) => {
    await lockRoutes(tx, 'change');
    const { taken, left } = await tldMoves(tx, registry.id, registry.tlds);
    const takesRoutes = registry.confirmsTlds === true && registry.keepsRoutes !== true;
    const alternative = taken.map(({ tld, from: route }) => ({ tld, route }));
    const moves = takesRoutes ? { taken, left, alternative: [] } : { taken: [], left, alternative };
    requireMeant(registry, moves);
    await saveRegistry(
      tx,
      {
        id: registry.id,
        profile: registry.profile,
        host: registry.host,
        port: registry.port,
        client_id: registry.clientId,
        secrets_sealed: ctx.vault.encrypt(JSON.stringify(secrets), encryptionContext(registry.id)),
        server_name: registry.serverName ?? null,
        ca_pem: registry.caPem ?? null,
        certificate_pem: registry.certificatePem ?? null,
        pins: [...(registry.pins ?? [])],
        source_address: registry.sourceAddress ?? null,
        ciphers: registry.ciphers ?? null,
        currency: currencyOf(registry),
        certificate_expires_at: registry.certificatePem
          ? new X509Certificate(registry.certificatePem).validToDate
          : null,
        created_at: ctx.wall.now(),
      },
      { tlds: registry.tlds, takesRoutes, sessions: registry.profile.limits.sessions, at: ctx.clock.now() },
    );
    if (actor) await auditConnection(ctx, tx, actor, registry, moves);
    return moves;
  });
  await watchCostCurrency(ctx, registry.id);
  return moved;
}

function auditConnection(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  { id, host, port, clientId, profile, currency, tlds }: NewRegistry,
  moves: ChangedRoutes,
): Promise<void> {
  const after = {
    host,
    port,
    client_id: clientId,
    dialect: profile.dialect ?? null,
    currency: currency ?? null,
    tlds,
    ...moves,
  };
  return audit(ctx, tx, actor, { action: 'registry.connect', objectType: 'registry', objectId: id, after });
}
