import type { Tx } from '@namehold/postgres';
import { type Actor, type AppContext, writeAsService } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField } from '../errors.ts';
import { notifyAccessChange } from '../notices/notify-recipients.ts';
import { insertKey, listKeys } from './key.sql.ts';
import { type ApiKey, checkScopes, keyLimits, normaliseWhitelist } from './key.ts';
import { findPrincipal } from './principal.sql.ts';
import { refusePrivilegeEscalation } from './privilege-limits.ts';
import { newSecret } from './secret.ts';

export interface NewKey {
  readonly label: string;
  readonly whitelist: readonly string[];
  readonly scopes?: readonly string[] | undefined;
  readonly expiresAt?: Date | undefined;
}

export type CreatedKey = ApiKey & { readonly secret: string };

/**
 * A key cannot create one with more scopes, a wider IP range or a later expiry than its own. On the second database login: it reads the
 * creating principal.
 */
export async function createKey(ctx: AppContext, actor: Actor, order: NewKey): Promise<CreatedKey> {
  const wanted = {
    scopes: checkScopes(order.scopes ?? ['full']),
    ip_whitelist: normaliseWhitelist(order.whitelist),
    expires_at: order.expiresAt ?? null,
  };
  return writeAsService(ctx, actor, async (tx) => {
    await refusePrivilegeEscalation(tx, actor, wanted);
    const made = await addKey(ctx, tx, actor, actor.resellerId, order);
    const what = { en: 'A new API key was created', id: 'Kunci API baru telah dibuat' };
    await notifyAccessChange(ctx, tx, actor, { resellerId: actor.resellerId, topic: 'keys', what, label: made.label });
    return made;
  });
}

/** Null: the service itself, or its command line. */
export const issuerOf = ({ keyId, user }: Pick<Actor, 'keyId' | 'user'>): string | null => keyId ?? user?.id ?? null;

/** Also used at first start, by the command line, and for invitations, whose key is issued by a key or user of an account above. */
export async function addKey(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  resellerId: string,
  order: NewKey,
  issuedBy: string | null = actor.resellerId === resellerId ? issuerOf(actor) : null,
): Promise<CreatedKey> {
  const now = ctx.wall.now();
  if (order.expiresAt && order.expiresAt <= now) throw badField('expiresAt', 'Must be in the future.');
  const present = await listKeys(tx, resellerId);
  if (present.filter((key) => !key.revoked_at).length >= keyLimits.keysPerReseller) {
    throw badField(
      'label',
      `An account can have at most ${keyLimits.keysPerReseller} keys. Revoke one first.`,
      'too_many',
    );
  }
  const { secret, hint } = newSecret(ctx.vault);
  const row = {
    id: ctx.ids.next('key'),
    reseller_id: resellerId,
    label: order.label,
    fingerprint: ctx.vault.fingerprint(secret),
    hint,
    ip_whitelist: normaliseWhitelist(order.whitelist),
    scopes: checkScopes(order.scopes ?? ['full']),
    expires_at: order.expiresAt ?? null,
    issued_by: issuedBy,
    created_at: now,
  };
  const key = await insertKey(tx, row, actor.resellerId === resellerId ? await findPrincipal(tx, actor) : null);
  await audit(ctx, tx, actor, { action: 'key.create', objectType: 'key', objectId: key.id, after: key, resellerId });
  return { ...key, secret };
}
