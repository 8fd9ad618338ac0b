import { randomBytes } from 'node:crypto';
import { allTenants, type Tx } from '@namehold/postgres';
import { type AppContext, brandHostOf } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, notFound, Refusal } from '../errors.ts';
import type { PasskeyAnswer } from '../ports/passkey-verifier.ts';
import { newChallenge, signedChallenge, useChallenge } from './challenge.ts';
import {
  beginTotp,
  confirmTotp,
  deletePasskey,
  deleteTotp,
  type FactorsRow,
  insertPasskey,
  listPasskeys,
  type Passkey,
  putRecoveryCodes,
  readFactors,
  renamePasskey,
} from './factor.sql.ts';
import { countSecretGuess, resetSecretGuesses } from './guessing.ts';
import { requireUser, type UserActor } from './own-session.ts';
import { revokeSessions } from './revoke-sessions.ts';
import { base32, newTotpSecret } from './totp.ts';
import { lockUser } from './user.sql.ts';
import { type User, userLimits } from './user.ts';
import { hasSecondFactor, recoveryFingerprint, totpContext, useTotp } from './verify-factor.ts';

export const readMyFactors = (ctx: AppContext, actor: UserActor): Promise<FactorsRow> =>
  readFactors(ctx.db.as(allTenants), actor.user.id, brandHostOf(ctx));

export const readMyPasskeys = (ctx: AppContext, actor: UserActor): Promise<Passkey[]> =>
  listPasskeys(ctx.db.as(allTenants), actor.user.id);

interface PasskeyWanted {
  readonly challenge: string;
  readonly relyingParty: string;
  readonly user: User;
  readonly known: readonly Passkey[];
}

/** Options from which a browser makes a passkey for this user. */
export async function wantPasskey(ctx: AppContext, actor: UserActor): Promise<PasskeyWanted> {
  const { relyingParty } = ctx.passkeys;
  if (relyingParty === undefined)
    throw new Refusal('not_available_yet', 'Passkeys require a public address with a host name, not an IP address.');
  const user = await requireUser(ctx, actor);
  const known = await readMyPasskeys(ctx, actor);
  return { challenge: newChallenge(ctx, user.id), relyingParty, user, known };
}

export async function addPasskey(
  ctx: AppContext,
  actor: UserActor,
  given: { readonly passkey: PasskeyAnswer; readonly name: string },
): Promise<Passkey> {
  const { id: userId } = actor.user;
  const challenge = signedChallenge(ctx, given.passkey, userId);
  const made = challenge && (await ctx.passkeys.readNew(given.passkey, challenge));
  if (!challenge || !made || !(await useChallenge(ctx, challenge)))
    throw badField('passkey', 'The passkey did not sign the challenge. Request a new challenge.', 'wrong');
  return ctx.db.transaction(allTenants, async (tx) => {
    await lockUser(tx, userId);
    const known = await listPasskeys(tx, userId);
    if (known.length >= userLimits.passkeys)
      throw badField(
        'passkey',
        `A user can have at most ${userLimits.passkeys} passkeys. Remove one first.`,
        'too_many',
      );
    const id = ctx.ids.next('pky');
    const row = {
      id,
      person_id: userId,
      credential_id: made.credentialId,
      public_key: Buffer.from(made.publicKey),
      counter: made.counter,
      transports: [...made.transports],
      name: given.name,
      host: brandHostOf(ctx),
      created_at: ctx.wall.now(),
    };
    if (!(await insertPasskey(tx, row))) throw badField('passkey', 'This passkey is already registered.', 'taken');
    await factorChanged(ctx, tx, actor, 'passkey.add', { passkey_id: id, name: given.name });
    return (await listPasskeys(tx, userId)).find((each) => each.id === id)!;
  });
}

export async function changePasskey(ctx: AppContext, actor: UserActor, id: string, name: string): Promise<Passkey> {
  return ctx.db.transaction(allTenants, async (tx) => {
    const after = await renamePasskey(tx, actor.user.id, id, name);
    if (!after) throw notFound('passkey');
    const change = { action: 'passkey.change', objectType: 'passkey', objectId: id, after: { name } };
    await audit(ctx, tx, actor, change);
    return after;
  });
}

export async function removePasskey(ctx: AppContext, actor: UserActor, id: string): Promise<void> {
  await ctx.db.transaction(allTenants, async (tx) => {
    await lockUser(tx, actor.user.id);
    const gone = await deletePasskey(tx, actor.user.id, id);
    if (!gone) throw notFound('passkey');
    await endLoneRecoveryCodes(tx, actor.user.id);
    await factorChanged(ctx, tx, actor, 'passkey.remove', { passkey_id: id, name: gone.name });
  });
}

/** A secret that is not required at sign-in until a code of it was verified. */
export async function startTotp(ctx: AppContext, actor: UserActor): Promise<{ secret: string; email: string }> {
  const { id, email } = await requireUser(ctx, actor);
  const secret = newTotpSecret();
  const encrypted = ctx.vault.encrypt(secret, totpContext(id));
  const isBegun = await ctx.db.transaction(allTenants, (tx) => beginTotp(tx, id, encrypted, ctx.wall.now()));
  if (!isBegun) throw new Refusal('conflict', 'There is already an authenticator. Remove it first.');
  return { secret, email };
}

export async function finishTotp(ctx: AppContext, actor: UserActor, code: string): Promise<void> {
  const { id } = actor.user;
  await countSecretGuess(ctx, 'totp-enrolment', id);
  const encrypted = await useTotp(ctx, id, code, false);
  if (encrypted === undefined) throw badField('code', 'The code is incorrect or has expired.', 'wrong');
  await resetSecretGuesses(ctx, 'totp-enrolment', id);
  await ctx.db.transaction(allTenants, async (tx) => {
    await lockUser(tx, id);
    if (!(await confirmTotp(tx, id, encrypted, ctx.wall.now())))
      throw new Refusal('conflict', 'The authenticator is already confirmed.');
    await factorChanged(ctx, tx, actor, 'totp.add', {});
  });
}

export async function removeTotp(ctx: AppContext, actor: UserActor): Promise<void> {
  await ctx.db.transaction(allTenants, async (tx) => {
    await lockUser(tx, actor.user.id);
    if (!(await deleteTotp(tx, actor.user.id))) throw notFound('authenticator');
    await endLoneRecoveryCodes(tx, actor.user.id);
    await factorChanged(ctx, tx, actor, 'totp.remove', {});
  });
}

/** 120 bits: ASVS 6.5.2 requires 112 for a secret that is stored under a fast hash. */
const recoveryBytes = 15;

/** Shown once; earlier ones become invalid. */
export async function makeRecoveryCodes(ctx: AppContext, actor: UserActor): Promise<string[]> {
  const { id } = actor.user;
  const codes = Array.from({ length: userLimits.recoveryCodes }, () =>
    base32(randomBytes(recoveryBytes)).match(/.{4}/g)!.join('-'),
  );
  await ctx.db.transaction(allTenants, async (tx) => {
    // Locks the user: two concurrent requests would both keep their codes.
    await lockUser(tx, id);
    if (!hasSecondFactor(await readFactors(tx, id, null)))
      throw new Refusal(
        'conflict',
        'Recovery codes are a backup for two-factor authentication. Add a passkey or an authenticator first.',
      );
    await putRecoveryCodes(
      tx,
      id,
      codes.map((code) => recoveryFingerprint(ctx, id, code)),
    );
    await audit(ctx, tx, actor, { action: 'person.recovery_codes', objectType: 'person', objectId: id });
  });
  return codes;
}

/** Recovery codes replace a factor: they end with the last one, so that they do not open a factor that is added later. */
async function endLoneRecoveryCodes(tx: Tx, userId: string): Promise<void> {
  if (!hasSecondFactor(await readFactors(tx, userId, null))) await putRecoveryCodes(tx, userId, []);
}

/**
 * Ends other sessions, which began with weaker authentication or with what is removed now. The user is locked, so that a concurrent
 * sign-in comes before it or sees the change.
 */
async function factorChanged(ctx: AppContext, tx: Tx, actor: UserActor, action: string, after: object): Promise<void> {
  const { id, sessionId } = actor.user;
  await revokeSessions(ctx, tx, id, { but: sessionId });
  await audit(ctx, tx, actor, { action, objectType: 'person', objectId: id, after });
}
