import type { Tx } from '@namehold/base';
import { audit } from '../audit/audit.ts';
import { keepPasswordsOf } from '../customers/sign-in.sql.ts';
import { badField, notFound, Refusal } from '../errors.ts';
import { type Actor, type House, write, writeWide } from '../house.ts';
import { tellOfAccess } from '../notices/tell.ts';
import { type ExpectedVersion, requireVersion } from '../version.ts';
import { type CreatedKey, issuerOf } from './create.ts';
import { findHand, joinHands } from './hand.sql.ts';
import { findKey, listKeys, lockIssuedKeys, lockKey, revokeKey, rotateSecret, updateKey } from './key.sql.ts';
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
  if (overlapMs > keyLimits.rotationOverlapMaxMs) throw badField('overlapSeconds', 'Must be at most 7 days.');
  return writeWide(house, actor, async (tx) => {
    const before = await lockKey(tx, actor.resellerId, id);
    if (!before) throw notFound('API key');
    await refuseStronger(tx, actor, before);
    if (before.revoked_at) throw new Refusal('conflict', 'The key is revoked. Create a new one.');
    const { secret, hint } = newSecret(house.vault);
    const overlapEnds = new Date(house.wall.now().getTime() + overlapMs);
    // A key that rotates itself stays with its issuer: otherwise the issuer could hide it.
    const issued_by = actor.keyId === id ? before.issued_by : issuerOf(actor);
    const after = await rotateSecret(tx, { ...before, issued_by }, house.vault.fingerprint(secret), hint, overlapEnds);
    // Who rotates a key sees its secret, and cannot say the second yes with it.
    const hand = await findHand(tx, actor);
    if (hand) await joinHands(tx, actor.resellerId, id, hand);
    await audit(house, tx, actor, { action: 'key.rotate', objectType: 'key', objectId: id, before, after });
    const what = { en: 'An API key was rotated', id: 'Rahasia kunci API telah diganti' };
    await tellOfAccess(house, tx, actor, { resellerId: actor.resellerId, what, label: after.label });
    return { ...after, secret };
  });
}

export interface Revocation {
  /** Customers keep the passwords that came from the key. */
  readonly keepsPasswords?: boolean;
  /** Keys that it issued are revoked too. */
  readonly withIssuedKeys?: boolean;
}

/** With the keys that it issued and that were active until then. */
export type RevokedKey = ApiKey & { readonly issued: readonly ApiKey[] };

/** With it end the sessions, temporary passwords, invitations and customers' passwords that came from it; keys that it issued only if the caller says so. */
export async function revokeKeyById(
  house: House,
  actor: Actor,
  id: string,
  { keepsPasswords = false, withIssuedKeys = false }: Revocation = {},
): Promise<RevokedKey> {
  return write(house, actor, async (tx) => {
    const before = await lockKey(tx, actor.resellerId, id);
    if (!before) throw notFound('API key');
    await refuseStronger(tx, actor, before);
    const active = await lockIssuedKeys(tx, actor.resellerId, id);
    const issued = withIssuedKeys ? await revokeIssued(house, tx, actor, active, keepsPasswords) : active;
    const after = await revokeOne(house, tx, actor, before, keepsPasswords);
    const what = revocationText(issued.length, withIssuedKeys);
    await tellOfAccess(house, tx, actor, { resellerId: actor.resellerId, what, label: after.label });
    return { ...after, issued };
  });
}

async function revokeIssued(house: House, tx: Tx, actor: Actor, keys: readonly ApiKey[], keepsPasswords: boolean) {
  const revoked: ApiKey[] = [];
  for (const key of keys) await refuseStronger(tx, actor, key);
  for (const key of keys) revoked.push(await revokeOne(house, tx, actor, key, keepsPasswords));
  return revoked;
}

async function revokeOne(house: House, tx: Tx, actor: Actor, before: ApiKey, keepsPasswords: boolean) {
  const after = await revokeKey(tx, before, house.wall.now());
  if (keepsPasswords) await keepPasswordsOf(tx, actor.resellerId, before.id);
  const change = { before, after: { ...after, keeps_passwords: keepsPasswords } };
  await audit(house, tx, actor, { action: 'key.revoke', objectType: 'key', objectId: before.id, ...change });
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
