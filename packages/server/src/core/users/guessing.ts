import { allTenants } from '@namehold/base';
import type { AppContext } from '../app-context.ts';
import { networkOf } from '../connection-limits.ts';
import { Refusal } from '../errors.ts';
import { deleteGuesses, giveGuessBack, takeGuess } from './guessing.sql.ts';
import { userLimits } from './user.ts';

/** A password that can be guessed: of a user, or of one account and its customers. No success with one of them clears the counter of another. */
export type Login = `user:${string}` | `account:${string}:${string}`;

/** By e-mail address, whether a user has it or not. */
export const userLogin = (email: string): Login => `user:${email.toLowerCase()}`;

export const accountLogin = (resellerId: string, email: string): Login =>
  `account:${resellerId}:${email.toLowerCase()}`;

/** Where a guess comes from. `known`: a session of this login, or a browser that has signed in to it before. */
export interface GuessOrigin {
  readonly address: string;
  readonly known?: string | undefined;
}

/** Secrets that one has to be signed in, or to have a further secret, to guess at. One counter each. */
export type GuessedSecret = 'totp' | 'totp-enrolment' | 'recovery-code' | 'account-password';

const bucketOf = (ctx: AppContext, kind: string, what: string) => `guess-${kind}:${ctx.vault.fingerprint(what)}`;

/**
 * A stranger draws on the counter of its network, and then on one that all strangers share: many networks together do not get many times
 * as many tries. A known session or browser has a counter of its own, so that strangers cannot keep the owner of the password out (OWASP,
 * "Slow Down Online Guessing Attacks with Device Cookies").
 */
const ownBucket = (ctx: AppContext, login: Login, { address, known }: GuessOrigin) =>
  known === undefined
    ? bucketOf(ctx, 'network', `${login} ${networkOf(address)}`)
    : bucketOf(ctx, 'known', `${login} ${known}`);
const sharedBucket = (ctx: AppContext, login: Login) => bucketOf(ctx, 'login', login);

/** Counted before the password is looked at: side by side nobody gets more tries than there are. */
export async function countGuess(ctx: AppContext, login: Login, from: GuessOrigin): Promise<void> {
  await count(ctx, ownBucket(ctx, login, from));
  if (from.known === undefined) await count(ctx, sharedBucket(ctx, login), userLimits.guessesFromUnknown);
}

/** The password was right: the own counter is empty again; the one of all strangers gets back this try alone. */
export async function resetGuesses(ctx: AppContext, login: Login, from: GuessOrigin): Promise<void> {
  const autocommit = ctx.db.autocommit(allTenants);
  await deleteGuesses(autocommit, ownBucket(ctx, login, from));
  const { guessesFromUnknown, guessesWithinMinutes } = userLimits;
  if (from.known === undefined)
    await giveGuessBack(autocommit, sharedBucket(ctx, login), guessesFromUnknown, guessesWithinMinutes);
}

const codeBuckets = (ctx: AppContext, secret: GuessedSecret, id: string, { known, isBrowser }: CodeOrigin) => {
  if (known === undefined) return { own: bucketOf(ctx, secret, id) };
  const own = bucketOf(ctx, secret, `${id} known ${known}`);
  return isBrowser ? { own, shared: bucketOf(ctx, secret, `${id} browsers`) } : { own };
};

/** Where a code of a second factor comes from. `known`: a session that has passed its second step, or a browser that has signed in before. */
export interface CodeOrigin {
  readonly known?: string | undefined;
  readonly isBrowser: boolean;
}

/**
 * As with passwords, strangers share one counter of the user and cannot keep its known browsers and running sessions out. All known browsers
 * together have a limit too, because a browser may have become known before the user had a second factor.
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

/** The code was right: the own counter is empty again; the one of all known browsers gets back this try alone. */
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
  if (shared) await giveGuessBack(autocommit, shared, codeGuessesOfBrowsers, guessesWithinMinutes);
}

/** By person, or by account: codes of six digits are guessed too. */
export const countSecretGuess = (ctx: AppContext, secret: GuessedSecret, id: string): Promise<void> =>
  count(ctx, bucketOf(ctx, secret, id));

export const resetSecretGuesses = (ctx: AppContext, secret: GuessedSecret, id: string): Promise<void> =>
  deleteGuesses(ctx.db.autocommit(allTenants), bucketOf(ctx, secret, id));

/** Requests for a mail with a link: a mailbox is not flooded with them, and they slow nobody's signing in. */
export async function countRecoveryRequest(ctx: AppContext, email: string, address: string): Promise<void> {
  await count(ctx, `wish-address:${ctx.vault.fingerprint(address)}`, userLimits.recoveryRequestsOfAddress);
  await count(ctx, `wish-person:${ctx.vault.fingerprint(email.toLowerCase())}`, userLimits.recoveryRequests);
}

/** Mails with an invitation to one address. */
export const countInvitation = (ctx: AppContext, email: string): Promise<void> =>
  count(ctx, `invite-mail:${ctx.vault.fingerprint(email.toLowerCase())}`, userLimits.recoveryRequests);

async function count(ctx: AppContext, bucket: string, most = userLimits.guesses): Promise<void> {
  const waitMs = await takeGuess(ctx.db.autocommit(allTenants), bucket, most, userLimits.guessesWithinMinutes);
  if (waitMs > 0)
    throw new Refusal('rate_limited', 'Too many attempts. Try again later.', {
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
    });
}
