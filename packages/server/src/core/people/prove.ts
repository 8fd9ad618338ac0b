import { everyTenant } from '@namehold/base';
import { isPasswordOf } from '../accounts/password.ts';
import { badField, Refusal } from '../errors.ts';
import type { House } from '../house.ts';
import { signedChallenge, spend } from './challenge.ts';
import {
  type FactorsRow,
  findPasskeyByCredential,
  findTotp,
  type Passkey,
  recordPasskeyUse,
  takeRecoveryCode,
  takeTotpStep,
} from './factor.sql.ts';
import {
  type CodeOrigin,
  countCodeGuess,
  countGuess,
  forgiveCodeGuess,
  forgiveGuess,
  type GuessOrigin,
  userLogin,
} from './guessing.ts';
import type { PasskeyAnswer } from './passkey-verifier.ts';
import type { PersonWithPassword } from './person.sql.ts';
import { stepOf } from './totp.ts';

export const methods = ['passkey', 'totp', 'recovery_code', 'password'] as const;
export type Method = (typeof methods)[number];

/** One of them, by which somebody shows who it is. */
export interface Proof {
  readonly passkey?: PasskeyAnswer | undefined;
  readonly code?: string | undefined;
  readonly recoveryCode?: string | undefined;
  readonly password?: string | undefined;
}

export const hasSecond = ({ passkeys, has_totp }: Pick<FactorsRow, 'passkeys' | 'has_totp'>): boolean =>
  passkeys > 0 || has_totp;

/** What the second step of signing in takes at this host. Empty with a second factor: none of them works here. */
export const secondMethods = (has: FactorsRow): Method[] => [
  ...(has.passkeys_here > 0 ? (['passkey'] as const) : []),
  ...(has.has_totp ? (['totp'] as const) : []),
  ...(hasSecond(has) && has.recovery_codes > 0 ? (['recovery_code'] as const) : []),
];

/** Refuses whose second factors all belong to another address: the password alone opens nothing. */
export function secondStepHere(has: FactorsRow): Method[] {
  const methods = secondMethods(has);
  if (hasSecond(has) && methods.length === 0)
    throw new Refusal('conflict', 'Your passkeys belong to another address of this service. Sign in there.');
  return methods;
}

/** What proves it again: a second factor, and the password only of who has none. */
export const sudoMethods = (has: Pick<FactorsRow, 'passkeys' | 'passkeys_here' | 'has_totp'>): Method[] => [
  ...(has.passkeys_here > 0 ? (['passkey'] as const) : []),
  ...(has.has_totp ? (['totp'] as const) : []),
  ...(hasSecond(has) ? [] : (['password'] as const)),
];

const fields = { passkey: 'passkey', totp: 'code', recovery_code: 'recoveryCode', password: 'password' } as const;

const secrets = { totp: 'totp', recovery_code: 'recovery-code' } as const;

/** Refuses with the field that is wrong. A passkey is no guess and is never throttled; of the others each has its counter. */
export async function prove(
  house: House,
  from: GuessOrigin & CodeOrigin,
  person: PersonWithPassword,
  proof: Proof,
  accepted: readonly Method[],
): Promise<Method> {
  const given = methods.filter((method) => proof[fields[method]] !== undefined);
  const [method] = given;
  if (given.length !== 1 || !method || !accepted.includes(method))
    throw badField(
      fields[method ?? accepted[0] ?? 'password'],
      `One of ${accepted.join(', ')} is required.`,
      'required',
    );
  if (method === 'passkey') {
    const used = await usePasskey(house, proof.passkey!, person.id);
    if (used?.person_id !== person.id) throw badField('passkey', 'The passkey did not sign the challenge.', 'wrong');
    return method;
  }
  const login = userLogin(person.email);
  await (method === 'password'
    ? countGuess(house, login, from)
    : countCodeGuess(house, secrets[method], person.id, from));
  if (!(await isRight(house, person, method, proof)))
    throw badField(fields[method], 'The code is incorrect or was already used.', 'wrong');
  await (method === 'password'
    ? forgiveGuess(house, login, from)
    : forgiveCodeGuess(house, secrets[method], person.id, from));
  return method;
}

async function isRight(
  house: House,
  person: PersonWithPassword,
  method: Exclude<Method, 'passkey'>,
  proof: Proof,
): Promise<boolean> {
  if (method === 'password') return isPasswordOf(person.password_hash, proof.password!);
  if (method === 'totp') return (await useTotp(house, person.id, proof.code!, true)) !== undefined;
  const fingerprint = recoveryFingerprint(house, person.id, proof.recoveryCode!);
  return takeRecoveryCode(house.db.alone(everyTenant), person.id, fingerprint, house.wall.now());
}

export const recoveryFingerprint = (house: House, personId: string, code: string): string =>
  house.vault.fingerprint(`recovery:${personId}:${code.toUpperCase().replaceAll(/[^A-Z2-7]/g, '')}`);

export const totpContext = (personId: string): string => `totp:${personId}`;

/** A code of now, or of half a minute before or after; each once. The encrypted secret that it belongs to, or undefined. */
export async function useTotp(
  house: House,
  personId: string,
  code: string,
  isConfirmed: boolean,
): Promise<string | undefined> {
  const totp = await findTotp(house.db.as(everyTenant), personId);
  if (!totp || (totp.confirmed_at !== null) !== isConfirmed) return undefined;
  const step = stepOf(house.vault.open(totp.secret_sealed, totpContext(personId)), code, house.wall.now());
  if (step === undefined) return undefined;
  const isTaken = await takeTotpStep(house.db.alone(everyTenant), personId, totp.secret_sealed, step);
  return isTaken ? totp.secret_sealed : undefined;
}

/** The passkey that signed a challenge of ours; `personId` null: one that was made for whoever signs in. */
export async function usePasskey(
  house: House,
  answer: PasskeyAnswer,
  personId: string | null,
): Promise<Passkey | undefined> {
  const challenge = signedChallenge(house, answer, personId);
  const known = await findPasskeyByCredential(house.db.as(everyTenant), answer.id);
  if (challenge === undefined || !known) return undefined;
  const key = {
    credentialId: known.credential_id,
    publicKey: known.public_key,
    counter: Number(known.counter),
    transports: known.transports,
  };
  const counter = await house.passkeys.readUse(answer, challenge, key);
  if (counter === undefined || !(await spend(house, challenge))) return undefined;
  const isNewest = await recordPasskeyUse(house.db.alone(everyTenant), known.id, counter, house.wall.now());
  return isNewest ? known : undefined;
}
