import type { Tx } from '@namehold/postgres';
import { type Actor, type AppContext, write, writeAsService } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, notFound, Refusal } from '../errors.ts';
import { notifyAccessChange } from '../notices/notify-recipients.ts';
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
import { newSecret } from './secret.ts';
import { refuseBeyondOwn, refuseStronger } from './within-own.ts';

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
    await refuseStronger(tx, actor, before);
    requireVersion(change.expected, keyVersion(before));
    const wanted = {
      ...before,
      label: change.label ?? before.label,
      ip_whitelist: change.whitelist ? normaliseWhitelist(change.whitelist) : before.ip_whitelist,
      scopes: change.scopes ? checkScopes(change.scopes) : before.scopes,
    };
    await refuseBeyondOwn(tx, actor, wanted);
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
    await refuseStronger(tx, actor, before);
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
    await notifyAccessChange(ctx, tx, actor, { resellerId: actor.resellerId, what, label: after.label });
    return { ...after, secret };
  });
}

interface Revocation {
  /** Customers keep the passwords that came from the key. */
  readonly keepsPasswords?: boolean;
  /** Keys that it issued are revoked too. */
  readonly withIssuedKeys?: boolean;
}

/** With the keys that it issued and that were active until then. */
export type RevokedKey = ApiKey & { readonly issued: readonly ApiKey[] };

/**
 * Ends with it the sessions, temporary passwords, invitations and customers' passwords that came from it. Keys that it issued end only
 * if the caller says so.
 */
export async function revokeKeyById(
  ctx: AppContext,
  actor: Actor,
  id: string,
  { keepsPasswords = false, withIssuedKeys = false }: Revocation = {},
): Promise<RevokedKey> {
  return write(ctx, actor, async (tx) => {
    const before = await lockKey(tx, actor.resellerId, id);
    if (!before) throw notFound('API key');
    await refuseStronger(tx, actor, before);
    const active = await lockIssuedKeys(tx, actor.resellerId, id);
    const issued = withIssuedKeys ? await revokeIssued(ctx, tx, actor, active, keepsPasswords) : active;
    const after = await revokeOne(ctx, tx, actor, before, keepsPasswords);
    const what = revocationText(issued.length, withIssuedKeys);
    await notifyAccessChange(ctx, tx, actor, { resellerId: actor.resellerId, what, label: after.label });
    return { ...after, issued };
  });
}

/** The key and the keys that it issued, as they are. Revokes nothing. */
export async function previewRevocation(ctx: AppContext, actor: Actor, id: string): Promise<RevokedKey> {
  const key = await readKey(ctx, actor, id);
  return { ...key, issued: await listIssuedKeys(ctx.db.as(actor.resellerId), actor.resellerId, id) };
}

async function revokeIssued(ctx: AppContext, tx: Tx, actor: Actor, keys: readonly ApiKey[], keepsPasswords: boolean) {
  const revoked: ApiKey[] = [];
  for (const key of keys) await refuseStronger(tx, actor, key);
  for (const key of keys) revoked.push(await revokeOne(ctx, tx, actor, key, keepsPasswords));
  return revoked;
}

async function revokeOne(ctx: AppContext, tx: Tx, actor: Actor, before: ApiKey, keepsPasswords: boolean) {
  const after = await revokeKey(tx, before, ctx.wall.now());
  if (keepsPasswords) await keepPasswordsOf(tx, actor.resellerId, before.id);
  const change = { before, after: { ...after, keeps_passwords: keepsPasswords } };
  await audit(ctx, tx, actor, { action: 'key.revoke', objectType: 'key', objectId: before.id, ...change });
  return after;
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
