import { everyTenant } from '@namehold/base';
import { networkOf } from '../connection-limits.ts';
import { Refusal } from '../errors.ts';
import type { House } from '../house.ts';
import { forgiveGuesses, giveGuessBack, takeGuess } from './guessing.sql.ts';
import { peopleLimits } from './person.ts';

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

const bucketOf = (house: House, kind: string, what: string) => `guess-${kind}:${house.vault.fingerprint(what)}`;

/**
 * A stranger draws on the counter of its network, and then on one that all strangers share: many networks together do not get many times
 * as many tries. A known session or browser has a counter of its own, so that strangers cannot keep the owner of the password out (OWASP,
 * "Slow Down Online Guessing Attacks with Device Cookies").
 */
const ownBucket = (house: House, login: Login, { address, known }: GuessOrigin) =>
  known === undefined
    ? bucketOf(house, 'network', `${login} ${networkOf(address)}`)
    : bucketOf(house, 'known', `${login} ${known}`);
const sharedBucket = (house: House, login: Login) => bucketOf(house, 'login', login);

/** Counted before the password is looked at: side by side nobody gets more tries than there are. */
export async function countGuess(house: House, login: Login, from: GuessOrigin): Promise<void> {
  await count(house, ownBucket(house, login, from));
  if (from.known === undefined) await count(house, sharedBucket(house, login), peopleLimits.guessesOfStrangers);
}

/** The password was right: the own counter is empty again; the one of all strangers gets back this try alone. */
export async function forgiveGuess(house: House, login: Login, from: GuessOrigin): Promise<void> {
  const alone = house.db.alone(everyTenant);
  await forgiveGuesses(alone, ownBucket(house, login, from));
  const { guessesOfStrangers, guessesWithinMinutes } = peopleLimits;
  if (from.known === undefined)
    await giveGuessBack(alone, sharedBucket(house, login), guessesOfStrangers, guessesWithinMinutes);
}

const codeBuckets = (house: House, secret: GuessedSecret, id: string, { known, isBrowser }: CodeOrigin) => {
  if (known === undefined) return { own: bucketOf(house, secret, id) };
  const own = bucketOf(house, secret, `${id} known ${known}`);
  return isBrowser ? { own, shared: bucketOf(house, secret, `${id} browsers`) } : { own };
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
export async function countCodeGuess(house: House, secret: GuessedSecret, id: string, from: CodeOrigin): Promise<void> {
  const { own, shared } = codeBuckets(house, secret, id, from);
  await count(house, own);
  if (shared) await count(house, shared, peopleLimits.codeGuessesOfBrowsers);
}

/** The code was right: the own counter is empty again; the one of all known browsers gets back this try alone. */
export async function forgiveCodeGuess(
  house: House,
  secret: GuessedSecret,
  id: string,
  from: CodeOrigin,
): Promise<void> {
  const { own, shared } = codeBuckets(house, secret, id, from);
  const alone = house.db.alone(everyTenant);
  await forgiveGuesses(alone, own);
  const { codeGuessesOfBrowsers, guessesWithinMinutes } = peopleLimits;
  if (shared) await giveGuessBack(alone, shared, codeGuessesOfBrowsers, guessesWithinMinutes);
}

/** By person, or by account: codes of six digits are guessed too. */
export const countSecretGuess = (house: House, secret: GuessedSecret, id: string): Promise<void> =>
  count(house, bucketOf(house, secret, id));

export const forgiveSecretGuess = (house: House, secret: GuessedSecret, id: string): Promise<void> =>
  forgiveGuesses(house.db.alone(everyTenant), bucketOf(house, secret, id));

/** Requests for a mail with a link: a mailbox is not flooded with them, and they slow nobody's signing in. */
export async function countWish(house: House, email: string, address: string): Promise<void> {
  await count(house, `wish-address:${house.vault.fingerprint(address)}`, peopleLimits.wishesOfAddress);
  await count(house, `wish-person:${house.vault.fingerprint(email.toLowerCase())}`, peopleLimits.wishes);
}

/** Mails with an invitation to one address. */
export const countInvitation = (house: House, email: string): Promise<void> =>
  count(house, `invite-mail:${house.vault.fingerprint(email.toLowerCase())}`, peopleLimits.wishes);

async function count(house: House, bucket: string, most = peopleLimits.guesses): Promise<void> {
  const waitMs = await takeGuess(house.db.alone(everyTenant), bucket, most, peopleLimits.guessesWithinMinutes);
  if (waitMs > 0)
    throw new Refusal('rate_limited', 'Too many attempts. Try again later.', {
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
    });
}
