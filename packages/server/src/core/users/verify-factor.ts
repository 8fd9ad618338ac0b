import { allTenants } from '@namehold/postgres';
import { isPasswordOf } from '../accounts/password.ts';
import type { AppContext } from '../app-context.ts';
import { badField, Refusal } from '../errors.ts';
import type { PasskeyAnswer } from '../ports/passkey-verifier.ts';
import { signedChallenge, useChallenge } from './challenge.ts';
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
  type GuessOrigin,
  resetCodeGuesses,
  resetGuesses,
  userLogin,
} from './guessing.ts';
import { stepOf } from './totp.ts';
import type { UserWithPassword } from './user.sql.ts';

export const methods = ['passkey', 'totp', 'recovery_code', 'password'] as const;
export type Method = (typeof methods)[number];

/** One of the methods that confirm the user's identity. */
export interface Proof {
  readonly passkey?: PasskeyAnswer | undefined;
  readonly code?: string | undefined;
  readonly recoveryCode?: string | undefined;
  readonly password?: string | undefined;
}

export const hasSecondFactor = ({ passkeys, has_totp }: Pick<FactorsRow, 'passkeys' | 'has_totp'>): boolean =>
  passkeys > 0 || has_totp;

/** Two-factor methods available at this host. Empty although the user has a factor: none of them works here. */
export const secondFactorMethods = (has: FactorsRow): Method[] => [
  ...(has.passkeys_here > 0 ? (['passkey'] as const) : []),
  ...(has.has_totp ? (['totp'] as const) : []),
  ...(hasSecondFactor(has) && has.recovery_codes > 0 ? (['recovery_code'] as const) : []),
];

/** Refuses a user whose factors all belong to another address: the password alone is not enough. */
export function pendingTwoFactor(has: FactorsRow): Method[] {
  const methods = secondFactorMethods(has);
  if (hasSecondFactor(has) && methods.length === 0)
    throw new Refusal('conflict', 'Your passkeys belong to another address of this service. Sign in there.');
  return methods;
}

/** Methods to confirm the identity again: a second factor, or the password for a user without one. */
export const sudoMethods = (has: Pick<FactorsRow, 'passkeys' | 'passkeys_here' | 'has_totp'>): Method[] => [
  ...(has.passkeys_here > 0 ? (['passkey'] as const) : []),
  ...(has.has_totp ? (['totp'] as const) : []),
  ...(hasSecondFactor(has) ? [] : (['password'] as const)),
];

const fields = { passkey: 'passkey', totp: 'code', recovery_code: 'recoveryCode', password: 'password' } as const;

const incorrect = {
  totp: 'The code is incorrect or was already used.',
  recovery_code: 'The recovery code is incorrect or was already used.',
  password: 'The password is incorrect.',
} as const;

const secrets = { totp: 'totp', recovery_code: 'recovery-code' } as const;

/** Refuses with the wrong field. A passkey cannot be guessed and is never throttled; each other method has its counter. */
export async function verifyFactor(
  ctx: AppContext,
  from: GuessOrigin & CodeOrigin,
  user: UserWithPassword,
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
    const used = await usePasskey(ctx, proof.passkey!, user.id);
    if (used?.person_id !== user.id) throw badField('passkey', 'The passkey did not sign the challenge.', 'wrong');
    return method;
  }
  const login = userLogin(user.email);
  await (method === 'password' ? countGuess(ctx, login, from) : countCodeGuess(ctx, secrets[method], user.id, from));
  if (!(await isRight(ctx, user, method, proof, from))) throw badField(fields[method], incorrect[method], 'wrong');
  await (method === 'password'
    ? resetGuesses(ctx, login, from)
    : resetCodeGuesses(ctx, secrets[method], user.id, from));
  return method;
}

async function isRight(
  ctx: AppContext,
  user: UserWithPassword,
  method: Exclude<Method, 'passkey'>,
  proof: Proof,
  from: GuessOrigin,
): Promise<boolean> {
  if (method === 'password') return isPasswordOf(user.password_hash, proof.password!, from);
  if (method === 'totp') return (await useTotp(ctx, user.id, proof.code!, true)) !== undefined;
  const fingerprint = recoveryFingerprint(ctx, user.id, proof.recoveryCode!);
  return takeRecoveryCode(ctx.db.autocommit(allTenants), user.id, fingerprint, ctx.wall.now());
}

export const recoveryFingerprint = (ctx: AppContext, userId: string, code: string): string =>
  ctx.vault.fingerprint(`recovery:${userId}:${code.toUpperCase().replaceAll(/[^A-Z2-7]/g, '')}`);

export const totpContext = (userId: string): string => `totp:${userId}`;

/** Accepts a code of the present step, or of the one before or after, each once. Returns its encrypted secret, or undefined. */
export async function useTotp(
  ctx: AppContext,
  userId: string,
  code: string,
  isConfirmed: boolean,
): Promise<string | undefined> {
  const totp = await findTotp(ctx.db.as(allTenants), userId);
  if (!totp || (totp.confirmed_at !== null) !== isConfirmed) return undefined;
  const step = stepOf(ctx.vault.open(totp.secret_sealed, totpContext(userId)), code, ctx.wall.now());
  if (step === undefined) return undefined;
  const isTaken = await takeTotpStep(ctx.db.autocommit(allTenants), userId, totp.secret_sealed, step);
  return isTaken ? totp.secret_sealed : undefined;
}

/** The passkey that signed one of our challenges; `userId` null: one made for any user who signs in. */
export async function usePasskey(
  ctx: AppContext,
  answer: PasskeyAnswer,
  userId: string | null,
): Promise<Passkey | undefined> {
  const challenge = signedChallenge(ctx, answer, userId);
  const known = await findPasskeyByCredential(ctx.db.as(allTenants), answer.id);
  if (challenge === undefined || !known) return undefined;
  const key = {
    credentialId: known.credential_id,
    publicKey: known.public_key,
    counter: Number(known.counter),
    transports: known.transports,
  };
  const counter = await ctx.passkeys.readUse(answer, challenge, key);
  if (counter === undefined || !(await useChallenge(ctx, challenge))) return undefined;
  const isNewest = await recordPasskeyUse(ctx.db.autocommit(allTenants), known.id, counter, ctx.wall.now());
  return isNewest ? known : undefined;
}
