import { randomBytes } from 'node:crypto';
import { everyTenant, type Tx } from '@namehold/base';
import { audit } from '../audit/audit.ts';
import { badField, notFound, Refusal } from '../errors.ts';
import { type House, hostOf } from '../house.ts';
import { newChallenge, signedChallenge, spend } from './challenge.ts';
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
import { countSecretGuess, forgiveSecretGuess } from './guessing.ts';
import { type PersonAtWork, requirePerson } from './own-session.ts';
import type { PasskeyAnswer } from './passkey-verifier.ts';
import { lockPerson } from './person.sql.ts';
import { type Person, peopleLimits } from './person.ts';
import { hasSecond, recoveryFingerprint, totpContext, useTotp } from './prove.ts';
import { endSessions } from './session.sql.ts';
import { base32, newTotpSecret } from './totp.ts';

export const readMyFactors = (house: House, actor: PersonAtWork): Promise<FactorsRow> =>
  readFactors(house.db.as(everyTenant), actor.person.id, hostOf(house));

export const readMyPasskeys = (house: House, actor: PersonAtWork): Promise<Passkey[]> =>
  listPasskeys(house.db.as(everyTenant), actor.person.id);

export interface PasskeyWanted {
  readonly challenge: string;
  readonly relyingParty: string;
  readonly person: Person;
  readonly known: readonly Passkey[];
}

/** What an authenticator needs to make a passkey for this person. */
export async function wantPasskey(house: House, actor: PersonAtWork): Promise<PasskeyWanted> {
  const { relyingParty } = house.passkeys;
  if (relyingParty === undefined)
    throw new Refusal('not_available_yet', 'Passkeys require a public address with a host name, not an IP address.');
  const person = await requirePerson(house, actor);
  const known = await readMyPasskeys(house, actor);
  return { challenge: newChallenge(house, person.id), relyingParty, person, known };
}

export async function addPasskey(
  house: House,
  actor: PersonAtWork,
  given: { readonly passkey: PasskeyAnswer; readonly name: string },
): Promise<Passkey> {
  const { id: personId } = actor.person;
  const challenge = signedChallenge(house, given.passkey, personId);
  const made = challenge && (await house.passkeys.readNew(given.passkey, challenge));
  if (!challenge || !made || !(await spend(house, challenge)))
    throw badField('passkey', 'The passkey did not sign the challenge. Request a new challenge.', 'wrong');
  return house.db.transaction(everyTenant, async (tx) => {
    await lockPerson(tx, personId);
    const known = await listPasskeys(tx, personId);
    if (known.length >= peopleLimits.passkeys)
      throw badField(
        'passkey',
        `A user can have at most ${peopleLimits.passkeys} passkeys. Remove one first.`,
        'too_many',
      );
    const id = house.ids.next('pky');
    const row = {
      id,
      person_id: personId,
      credential_id: made.credentialId,
      public_key: Buffer.from(made.publicKey),
      counter: made.counter,
      transports: [...made.transports],
      name: given.name,
      host: hostOf(house),
      created_at: house.wall.now(),
    };
    if (!(await insertPasskey(tx, row))) throw badField('passkey', 'This passkey is already registered.', 'taken');
    await factorChanged(house, tx, actor, 'passkey.add', { passkey_id: id, name: given.name });
    return (await listPasskeys(tx, personId)).find((each) => each.id === id)!;
  });
}

export async function changePasskey(house: House, actor: PersonAtWork, id: string, name: string): Promise<Passkey> {
  return house.db.transaction(everyTenant, async (tx) => {
    const after = await renamePasskey(tx, actor.person.id, id, name);
    if (!after) throw notFound('passkey');
    const change = { action: 'passkey.change', objectType: 'passkey', objectId: id, after: { name } };
    await audit(house, tx, actor, change);
    return after;
  });
}

export async function removePasskey(house: House, actor: PersonAtWork, id: string): Promise<void> {
  await house.db.transaction(everyTenant, async (tx) => {
    await lockPerson(tx, actor.person.id);
    const gone = await deletePasskey(tx, actor.person.id, id);
    if (!gone) throw notFound('passkey');
    await endLoneRecoveryCodes(tx, actor.person.id);
    await factorChanged(house, tx, actor, 'passkey.remove', { passkey_id: id, name: gone.name });
  });
}

/** A secret that is not asked for until a code of it was seen. */
export async function startTotp(house: House, actor: PersonAtWork): Promise<{ secret: string; email: string }> {
  const { id, email } = await requirePerson(house, actor);
  const secret = newTotpSecret();
  const sealed = house.vault.seal(secret, totpContext(id));
  const isBegun = await house.db.transaction(everyTenant, (tx) => beginTotp(tx, id, sealed, house.wall.now()));
  if (!isBegun) throw new Refusal('conflict', 'There is already an authenticator. Remove it first.');
  return { secret, email };
}

export async function finishTotp(house: House, actor: PersonAtWork, code: string): Promise<void> {
  const { id } = actor.person;
  await countSecretGuess(house, 'totp-enrolment', id);
  const sealed = await useTotp(house, id, code, false);
  if (sealed === undefined) throw badField('code', 'The code is incorrect or has expired.', 'wrong');
  await forgiveSecretGuess(house, 'totp-enrolment', id);
  await house.db.transaction(everyTenant, async (tx) => {
    await lockPerson(tx, id);
    if (!(await confirmTotp(tx, id, sealed, house.wall.now())))
      throw new Refusal('conflict', 'The authenticator is already confirmed.');
    await factorChanged(house, tx, actor, 'totp.add', {});
  });
}

export async function removeTotp(house: House, actor: PersonAtWork): Promise<void> {
  await house.db.transaction(everyTenant, async (tx) => {
    await lockPerson(tx, actor.person.id);
    if (!(await deleteTotp(tx, actor.person.id))) throw notFound('authenticator');
    await endLoneRecoveryCodes(tx, actor.person.id);
    await factorChanged(house, tx, actor, 'totp.remove', {});
  });
}

/** 120 bits: ASVS 6.5.2 wants 112 of a secret that is stored under a fast hash. */
const recoveryBytes = 15;

/** Shown once; those from before are worth nothing any more. */
export async function makeRecoveryCodes(house: House, actor: PersonAtWork): Promise<string[]> {
  const { id } = actor.person;
  const codes = Array.from({ length: peopleLimits.recoveryCodes }, () =>
    base32(randomBytes(recoveryBytes)).match(/.{4}/g)!.join('-'),
  );
  await house.db.transaction(everyTenant, async (tx) => {
    // Two at once would both keep their codes.
    await lockPerson(tx, id);
    if (!hasSecond(await readFactors(tx, id, null)))
      throw new Refusal(
        'conflict',
        'Recovery codes are a backup for two-factor authentication. Add a passkey or an authenticator first.',
      );
    await putRecoveryCodes(
      tx,
      id,
      codes.map((code) => recoveryFingerprint(house, id, code)),
    );
    await audit(house, tx, actor, { action: 'person.recovery_codes', objectType: 'person', objectId: id });
  });
  return codes;
}

/** Recovery codes stand in for a factor: with the last one they end, so that they do not open a factor that is added later. */
async function endLoneRecoveryCodes(tx: Tx, personId: string): Promise<void> {
  if (!hasSecond(await readFactors(tx, personId, null))) await putRecoveryCodes(tx, personId, []);
}

/** Other sessions were begun with less, or by who knew what is gone now. The user is locked, so that a sign-in comes before it or sees the change. */
async function factorChanged(house: House, tx: Tx, actor: PersonAtWork, action: string, after: object): Promise<void> {
  const { id, sessionId } = actor.person;
  await endSessions(tx, id, { but: sessionId }, house.wall.now());
  await audit(house, tx, actor, { action, objectType: 'person', objectId: id, after });
}
