import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { networkOf } from '../connection-limits.ts';
import { Refusal } from '../errors.ts';
import { asciiAddress } from '../reference/email.ts';
import { deleteGuesses, mailboxOf, refundAttempt, takeGuess } from './guessing.sql.ts';
import { userLimits } from './user.ts';

/**
 * Brute-force protection of sign-in (passwords, 2FA codes, recovery).
 *
 * A password that can be guessed: of a user, or of one account and its customers. A success with one does not reset the counter of
 * another.
 */
export type Login = `user:${string}` | `account:${string}:${string}`;

/** By email address, whether or not a user has it. */
export const userLogin = (email: string): Login => `user:${asciiAddress(email).toLowerCase()}`;

export const accountLogin = (resellerId: string, email: string): Login =>
  `account:${resellerId}:${asciiAddress(email).toLowerCase()}`;

/** The origin of a guess. `known`: a session of this login, or a browser that has signed in to it before. */
export interface GuessOrigin {
  readonly address: string;
  readonly known?: string | undefined;
}

/** Secrets that require a session, or a further secret, to guess. One counter each. */
type GuessedSecret = 'totp' | 'totp-enrolment' | 'recovery-code' | 'account-password';

const bucketOf = (ctx: AppContext, kind: string, what: string) => `guess-${kind}:${ctx.vault.fingerprint(what)}`;

/**
 * An unknown browser uses the counter of its network, and then one that all unknown browsers share. Many networks together therefore do
 * not get many times as many tries. A known session or browser has its own counter, so that attackers cannot lock out the user (OWASP,
 * "Slow Down Online Guessing Attacks with Device Cookies").
 */
const ownBucket = (ctx: AppContext, login: Login, { address, known }: GuessOrigin) =>
  known === undefined
    ? bucketOf(ctx, 'network', `${login} ${networkOf(address)}`)
    : bucketOf(ctx, 'known', `${login} ${known}`);
const sharedBucket = (ctx: AppContext, login: Login) => bucketOf(ctx, 'login', login);

/** Counted before the password is verified, so that parallel requests get no additional tries. */
export async function countGuess(ctx: AppContext, login: Login, from: GuessOrigin): Promise<void> {
  await count(ctx, ownBucket(ctx, login, from));
  if (from.known === undefined) await count(ctx, sharedBucket(ctx, login), userLimits.guessesFromUnknown);
}

/** The password was right: resets the own counter, and returns this one try to the shared counter. */
export async function resetGuesses(ctx: AppContext, login: Login, from: GuessOrigin): Promise<void> {
  const autocommit = ctx.db.autocommit(allTenants);
  await deleteGuesses(autocommit, ownBucket(ctx, login, from));
  const { guessesFromUnknown, guessesWithinMinutes } = userLimits;
  if (from.known === undefined)
    await refundAttempt(autocommit, sharedBucket(ctx, login), guessesFromUnknown, guessesWithinMinutes);
}

const codeBuckets = (ctx: AppContext, secret: GuessedSecret, id: string, { known, isBrowser }: CodeOrigin) => {
  if (known === undefined) return { own: bucketOf(ctx, secret, id) };
  const own = bucketOf(ctx, secret, `${id} known ${known}`);
  return isBrowser ? { own, shared: bucketOf(ctx, secret, `${id} browsers`) } : { own };
};

/** The origin of a two-factor code. `known`: a session after two-factor authentication, or a browser that has signed in before. */
export interface CodeOrigin {
  readonly known?: string | undefined;
  readonly isBrowser: boolean;
}

/**
 * As with passwords, unknown browsers share one counter of the user and cannot lock out known browsers and open sessions. All known
 * browsers together have a limit too, because a browser may have become known before the user had a second factor.
 */
export async function countCodeGuess(
  ctx: AppContext,
  secret: GuessedSecret,
  id: string,
  from: CodeOrigin,
): Promise<void> {
  const { own, shared } = codeBuckets(ctx, secret, id, from);
  await count(ctx, own);
  if (shared) await count(ctx, shared, userLimits.codeGuessesOfBrowsers);
}

/** The code was right: resets the own counter, and returns this one try to the counter of all known browsers. */
export async function resetCodeGuesses(
  ctx: AppContext,
  secret: GuessedSecret,
  id: string,
  from: CodeOrigin,
): Promise<void> {
  const { own, shared } = codeBuckets(ctx, secret, id, from);
  const autocommit = ctx.db.autocommit(allTenants);
  await deleteGuesses(autocommit, own);
  const { codeGuessesOfBrowsers, guessesWithinMinutes } = userLimits;
  if (shared) await refundAttempt(autocommit, shared, codeGuessesOfBrowsers, guessesWithinMinutes);
}

/** By user, or by account: codes of six digits can be guessed. */
export const countSecretGuess = (ctx: AppContext, secret: GuessedSecret, id: string): Promise<void> =>
  count(ctx, bucketOf(ctx, secret, id));

export const resetSecretGuesses = (ctx: AppContext, secret: GuessedSecret, id: string): Promise<void> =>
  deleteGuesses(ctx.db.autocommit(allTenants), bucketOf(ctx, secret, id));

/** Limits mails with a link: a mailbox is not flooded, also not through sub-addresses, and sign-ins are not slowed. */
export async function countRecoveryRequest(ctx: AppContext, email: string, address: string): Promise<void> {
  await count(ctx, `wish-address:${ctx.vault.fingerprint(address)}`, userLimits.recoveryRequestsOfAddress);
  const mailbox = await mailboxOf(ctx.db.as(allTenants), email);
  await count(ctx, `wish-person:${ctx.vault.fingerprint(mailbox)}`, userLimits.recoveryRequests);
}

/** Mails with an invitation of one account to one mailbox. Other accounts cannot use them up; the daily limits bound all of them. */
export async function countInvitation(ctx: AppContext, resellerId: string, email: string): Promise<void> {
  const mailbox = await mailboxOf(ctx.db.as(allTenants), email);
  await count(ctx, `invite-mail:${ctx.vault.fingerprint(`${resellerId} ${mailbox}`)}`, userLimits.recoveryRequests);
}

async function count(ctx: AppContext, bucket: string, most = userLimits.guesses): Promise<void> {
  const waitMs = await takeGuess(ctx.db.autocommit(allTenants), bucket, most, userLimits.guessesWithinMinutes);
  if (waitMs > 0)
    throw new Refusal('rate_limited', 'Too many attempts. Try again later.', {
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
    });
}
