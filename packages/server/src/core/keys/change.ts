import { audit } from '../audit/audit.ts';
import { keepPasswordsOf } from '../customers/sign-in.sql.ts';
import { badField, notFound, Refusal } from '../errors.ts';
import { type Actor, type House, write, writeWide } from '../house.ts';
import { tellOfAccess } from '../notices/tell.ts';
import { type ExpectedVersion, requireVersion } from '../version.ts';
import type { CreatedKey } from './create.ts';
import { findHand, joinHands } from './hand.sql.ts';
import { findKey, listKeys, lockKey, revokeKey, rotateSecret, updateKey } from './key.sql.ts';
import { type ApiKey, checkScopes, keyLimits, normaliseWhitelist } from './key.ts';
import { newSecret } from './secret.ts';
import { refuseBeyondOwn, refuseStronger } from './within-own.ts';

export async function readKeys(house: House, actor: Actor): Promise<ApiKey[]> {
  return listKeys(house.db.as(actor.resellerId), actor.resellerId);
}

export async function readKey(house: House, actor: Actor, id: string): Promise<ApiKey> {
  const key = await findKey(house.db.as(actor.resellerId), actor.resellerId, id);
  if (!key) throw notFound('API key');
  return key;
}

/** Of what is changed of a key by its owner. */
export const keyVersion = ({ label, ip_whitelist, scopes }: ApiKey): readonly unknown[] => [
  label,
  ip_whitelist,
  scopes,
];

export interface KeyChange {
  readonly expected?: ExpectedVersion | undefined;
  readonly label?: string | undefined;
  readonly whitelist?: readonly string[] | undefined;
  readonly scopes?: readonly string[] | undefined;
}

export async function changeKey(house: House, actor: Actor, id: string, change: KeyChange): Promise<ApiKey> {
  return write(house, actor, async (tx) => {
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
    await audit(house, tx, actor, { action: 'key.change', objectType: 'key', objectId: id, before, after });
    return after;
  });
}

/**
 * A new secret under the same id; the old one works until the overlap ends, so that no deployment has to be simultaneous. On the second
 * login: it joins hands, of people too.
 */
export async function rotateKey(house: House, actor: Actor, id: string, overlapMs: number): Promise<CreatedKey> {
  if (overlapMs > keyLimits.rotationOverlapMaxMs) throw badField('overlapSeconds', 'at most 7 days');
  return writeWide(house, actor, async (tx) => {
    const before = await lockKey(tx, actor.resellerId, id);
    if (!before) throw notFound('API key');
    await refuseStronger(tx, actor, before);
    if (before.revoked_at) throw new Refusal('conflict', 'the key is revoked; create a new one');
    const { secret, hint } = newSecret(house.vault);
    const overlapEnds = new Date(house.wall.now().getTime() + overlapMs);
    const after = await rotateSecret(tx, before, house.vault.fingerprint(secret), hint, overlapEnds);
    // Who rotates a key sees its secret, and cannot say the second yes with it.
    const hand = await findHand(tx, actor);
    if (hand) await joinHands(tx, actor.resellerId, id, hand);
    await audit(house, tx, actor, { action: 'key.rotate', objectType: 'key', objectId: id, before, after });
    const what = { en: 'An API key got a new secret', id: 'Kunci API mendapat rahasia baru' };
    await tellOfAccess(house, tx, actor, { resellerId: actor.resellerId, what, label: after.label });
    return { ...after, secret };
  });
}

/** With it end the sessions, temporary passwords, invitations and customers' passwords that came from it; the last of them stay if the caller says so. */
export async function revokeKeyById(
  house: House,
  actor: Actor,
  id: string,
  { keepsPasswords = false }: { readonly keepsPasswords?: boolean } = {},
): Promise<ApiKey> {
  return write(house, actor, async (tx) => {
    const before = await lockKey(tx, actor.resellerId, id);
    if (!before) throw notFound('API key');
    await refuseStronger(tx, actor, before);
    const after = await revokeKey(tx, before, house.wall.now());
    if (keepsPasswords) await keepPasswordsOf(tx, actor.resellerId, id);
    const change = { before, after: { ...after, keeps_passwords: keepsPasswords } };
    await audit(house, tx, actor, { action: 'key.revoke', objectType: 'key', objectId: id, ...change });
    const what = { en: 'An API key was revoked', id: 'Kunci API telah dicabut' };
    await tellOfAccess(house, tx, actor, { resellerId: actor.resellerId, what, label: after.label });
    return after;
  });
}
