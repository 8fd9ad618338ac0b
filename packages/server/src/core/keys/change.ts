import { allTenants, type Tx } from '@namehold/postgres';
import { type Actor, type AppContext, write, writeAsService } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, notFound, Refusal } from '../errors.ts';
import { notifyAccessChange } from '../notices/notify-recipients.ts';
import { endRequestsOfKeys, listRequestsOfKeys } from '../tables/waiting-requests.sql.ts';
import { type ExpectedVersion, requireVersion } from '../version.ts';
import { type CreatedKey, issuerOf } from './create.ts';
import {
  findKey,
  keepPasswordsOf,
  listIssuedKeys,
  listKeys,
  lockIssuedKeys,
  lockKey,
  revokeKey,
  rotateSecret,
  updateKey,
} from './key.sql.ts';
import { type ApiKey, checkScopes, keyLimits, normaliseWhitelist } from './key.ts';
import { findPrincipal, mergePrincipals } from './principal.sql.ts';
import { refusePrivilegeEscalation, refuseStrongerKey } from './privilege-limits.ts';
import { requireScope } from './require-scope.ts';
import { newSecret } from './secret.ts';

export async function readKeys(ctx: AppContext, actor: Actor): Promise<ApiKey[]> {
  return listKeys(ctx.db.as(actor.resellerId), actor.resellerId);
}

export async function readKey(ctx: AppContext, actor: Actor, id: string): Promise<ApiKey> {
  const key = await findKey(ctx.db.as(actor.resellerId), actor.resellerId, id);
  if (!key) throw notFound('API key');
  return key;
}

/** Fields of a key that its owner can change. */
export const keyVersion = ({ label, ip_whitelist, scopes }: ApiKey): readonly unknown[] => [
  label,
  ip_whitelist,
  scopes,
];

interface KeyChange {
  readonly expected?: ExpectedVersion | undefined;
  readonly label?: string | undefined;
  readonly whitelist?: readonly string[] | undefined;
  readonly scopes?: readonly string[] | undefined;
}

export async function changeKey(ctx: AppContext, actor: Actor, id: string, change: KeyChange): Promise<ApiKey> {
  return write(ctx, actor, async (tx) => {
    const before = await lockKey(tx, actor.resellerId, id);
    if (!before) throw notFound('API key');
    await refuseStrongerKey(tx, actor, before);
    requireVersion(change.expected, keyVersion(before));
    const wanted = {
      ...before,
      label: change.label ?? before.label,
      ip_whitelist: change.whitelist ? normaliseWhitelist(change.whitelist) : before.ip_whitelist,
      scopes: change.scopes ? checkScopes(change.scopes) : before.scopes,
    };
    await refusePrivilegeEscalation(tx, actor, wanted);
    const after = await updateKey(tx, wanted);
    await audit(ctx, tx, actor, { action: 'key.change', objectType: 'key', objectId: id, before, after });
    return after;
  });
}

/**
 * A new secret under the same id; the old one works until the overlap ends, so that deployments need not be simultaneous. On the second
 * database login: it merges principals, including those of users.
 */
export async function rotateKey(ctx: AppContext, actor: Actor, id: string, overlapMs: number): Promise<CreatedKey> {
  if (overlapMs > keyLimits.rotationOverlapMaxMs) throw badField('overlapSeconds', 'Must be at most 7 days.');
  return writeAsService(ctx, actor, async (tx) => {
    const before = await lockKey(tx, actor.resellerId, id);
    if (!before) throw notFound('API key');
    await refuseStrongerKey(tx, actor, before);
    if (before.revoked_at) throw new Refusal('conflict', 'The key is revoked. Create a new one.');
    const { secret, hint } = newSecret(ctx.vault);
    const overlapEnds = new Date(ctx.wall.now().getTime() + overlapMs);
    // A key that rotates itself stays with its issuer: otherwise the issuer could not see it.
    const issued_by = actor.keyId === id ? before.issued_by : issuerOf(actor);
    const after = await rotateSecret(tx, { ...before, issued_by }, ctx.vault.fingerprint(secret), hint, overlapEnds);
    // The rotating key or user sees the secret, and cannot approve with it.
    const principal = await findPrincipal(tx, actor);
    if (principal) await mergePrincipals(tx, actor.resellerId, id, principal);
    await audit(ctx, tx, actor, { action: 'key.rotate', objectType: 'key', objectId: id, before, after });
    const what = { en: 'An API key was rotated', id: 'Rahasia kunci API telah diganti' };
    await notifyAccessChange(ctx, tx, actor, { resellerId: actor.resellerId, topic: 'keys', what, label: after.label });
    return { ...after, secret };
  });
}

interface Revocation {
  /** Customers keep the passwords that came from the key. */
  readonly keepsPasswords?: boolean;
  /** Keys that it issued are revoked too. */
  readonly withIssuedKeys?: boolean;
}

export type RevokedKey = ApiKey & {
  /** The keys that it issued and that were active until then. */
  readonly issued: readonly ApiKey[];
  /** The same in the accounts below, through invitations. */
  readonly issuedBelow: readonly ApiKey[];
  /** Operations of the account that can no longer be approved, because the requesting key is revoked. */
  readonly waiting: readonly string[];
};

/**
 * Ends with it the sessions, temporary passwords, invitations and customers' passwords that came from it. Keys that it issued end only
 * if the caller says so. On the second database login: keys of the accounts below are not visible to a request.
 */
export async function revokeKeyById(
  ctx: AppContext,
  actor: Actor,
  id: string,
  { keepsPasswords = false, withIssuedKeys = false }: Revocation = {},
): Promise<RevokedKey> {
  return writeAsService(ctx, actor, async (tx) => {
    const before = await lockKey(tx, actor.resellerId, id);
    if (!before) throw notFound('API key');
    await refuseStrongerKey(tx, actor, before);
    const active = await lockAllIssued(tx, actor.resellerId, id);
    const all = withIssuedKeys ? await revokeIssued(ctx, tx, actor, active, keepsPasswords) : active;
    const after = await revokeOne(ctx, tx, actor, before, keepsPasswords);
    const waiting = await endRequestsOfKeys(tx, withIssuedKeys ? [before, ...all] : [before], ctx.wall.now());
    const issued = all.filter((key) => key.reseller_id === actor.resellerId);
    const issuedBelow = all.filter((key) => key.reseller_id !== actor.resellerId);
    const what = revocationText(all.length, withIssuedKeys);
    await notifyAccessChange(ctx, tx, actor, { resellerId: actor.resellerId, topic: 'keys', what, label: after.label });
    if (withIssuedKeys) await notifyBelow(ctx, tx, actor, issuedBelow);
    const isOwn = (operation: { readonly reseller_id: string }) => operation.reseller_id === actor.resellerId;
    return { ...after, issued, issuedBelow, waiting: waiting.filter(isOwn).map((operation) => operation.id) };
  });
}

/** While it waits for a lock, the holder may have issued another key. */
async function lockAllIssued(tx: Tx, resellerId: string, id: string): Promise<ApiKey[]> {
  let locked = await lockIssuedKeys(tx, resellerId, id);
  for (;;) {
    const again = await lockIssuedKeys(tx, resellerId, id);
    if (again.length === locked.length) return again;
    locked = again;
  }
}

/** The key, the keys that it issued and their requests, as they are. Revokes nothing. On the second database login, like the revocation. */
export async function previewRevocation(ctx: AppContext, actor: Actor, id: string): Promise<RevokedKey> {
  const key = await readKey(ctx, actor, id);
  const db = ctx.db.as(allTenants);
  const all = await listIssuedKeys(db, actor.resellerId, id);
  const issued = all.filter((each) => each.reseller_id === actor.resellerId);
  const issuedBelow = all.filter((each) => each.reseller_id !== actor.resellerId);
  const waiting = await listRequestsOfKeys(db, [key, ...issued]);
  return { ...key, issued, issuedBelow, waiting: waiting.map((operation) => operation.id) };
}

async function revokeIssued(ctx: AppContext, tx: Tx, actor: Actor, keys: readonly ApiKey[], keepsPasswords: boolean) {
  if (keys.some((key) => key.reseller_id !== actor.resellerId))
    requireScope(actor, 'full', 'Revoking keys of sub-resellers');
  const revoked: ApiKey[] = [];
  for (const key of keys) await refuseStrongerKey(tx, actor, key);
  for (const key of keys) revoked.push(await revokeOne(ctx, tx, actor, key, keepsPasswords));
  return revoked;
}

async function revokeOne(ctx: AppContext, tx: Tx, actor: Actor, before: ApiKey, keepsPasswords: boolean) {
  const after = await revokeKey(tx, before, ctx.wall.now());
  if (keepsPasswords) await keepPasswordsOf(tx, before.reseller_id, before.id);
  const change = { before, after: { ...after, keeps_passwords: keepsPasswords } };
  const entry = { action: 'key.revoke', objectType: 'key', objectId: before.id, ...change };
  // A key of an account below is in the logs of both.
  for (const resellerId of new Set([actor.resellerId, before.reseller_id]))
    await audit(ctx, tx, actor, { ...entry, resellerId });
  return after;
}

/** One mail for each account. */
async function notifyBelow(ctx: AppContext, tx: Tx, actor: Actor, keys: readonly ApiKey[]): Promise<void> {
  const what = {
    en: 'An API key was revoked by an account above yours',
    id: 'Kunci API telah dicabut oleh akun di atas akun Anda',
  };
  for (const resellerId of new Set(keys.map((key) => key.reseller_id))) {
    const labels = keys.filter((key) => key.reseller_id === resellerId).map(({ label }) => label);
    await notifyAccessChange(ctx, tx, actor, { resellerId, topic: 'keys', what, label: labels.join(', ') });
  }
}

function revocationText(issued: number, withIssuedKeys: boolean): { en: string; id: string } {
  if (issued === 0) return { en: 'An API key was revoked', id: 'Kunci API telah dicabut' };
  if (withIssuedKeys)
    return {
      en: `An API key was revoked, and with it the keys that it issued (${issued})`,
      id: `Kunci API telah dicabut beserta kunci yang diterbitkannya (${issued})`,
    };
  return {
    en: `An API key was revoked; keys that it issued still work (${issued})`,
    id: `Kunci API telah dicabut; kunci yang diterbitkannya masih berlaku (${issued})`,
  };
}
