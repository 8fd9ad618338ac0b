import { everyTenant } from '@namehold/base';
import { Refusal } from '../errors.ts';
import type { House } from '../house.ts';
import { forgiveGuesses, takeGuess } from './person.sql.ts';
import { peopleLimits } from './person.ts';

/** By e-mail address, whether somebody has it or not. */
const bucketOf = (house: House, email: string) => `guess-person:${house.vault.fingerprint(email.toLowerCase())}`;

/** By person: codes of six digits are guessed too. */
const factorBucketOf = (house: House, personId: string) => `guess-factor:${house.vault.fingerprint(personId)}`;

/** Counted before the password is looked at: side by side nobody gets more tries than there are. */
export const countGuess = (house: House, email: string): Promise<void> => count(house, bucketOf(house, email));

export const countFactorGuess = (house: House, personId: string): Promise<void> =>
  count(house, factorBucketOf(house, personId));

/** Wishes for another password: a mailbox is not flooded with them, and they slow nobody's signing in. */
export async function countWish(house: House, email: string, address: string): Promise<void> {
  await count(house, `wish-address:${house.vault.fingerprint(address)}`, peopleLimits.wishesOfAddress);
  await count(house, `wish-person:${house.vault.fingerprint(email.toLowerCase())}`, peopleLimits.wishes);
}

async function count(house: House, bucket: string, most = peopleLimits.guesses): Promise<void> {
  const waitMs = await takeGuess(house.db.alone(everyTenant), bucket, most, peopleLimits.guessesWithinMinutes);
  if (waitMs > 0)
    throw new Refusal('rate_limited', 'too many attempts', {
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
    });
}

/** It was the right one. */
export async function forgiveGuess(house: House, email: string): Promise<void> {
  await forgiveGuesses(house.db.alone(everyTenant), bucketOf(house, email));
}

export async function forgiveFactorGuess(house: House, personId: string): Promise<void> {
  await forgiveGuesses(house.db.alone(everyTenant), factorBucketOf(house, personId));
}
