import { everyTenant } from '@namehold/base';
import { Refusal } from '../errors.ts';
import type { House } from '../house.ts';
import { forgiveGuesses, takeGuess } from './person.sql.ts';
import { peopleLimits } from './person.ts';

/** By e-mail address, whether somebody has it or not. */
const bucketOf = (house: House, email: string) => `guess-person:${house.vault.fingerprint(email.toLowerCase())}`;

/** Counted before the password is looked at: side by side nobody gets more tries than there are. */
export async function countGuess(house: House, email: string): Promise<void> {
  const { guesses, guessesWithinMinutes } = peopleLimits;
  const waitMs = await takeGuess(house.db.alone(everyTenant), bucketOf(house, email), guesses, guessesWithinMinutes);
  if (waitMs > 0)
    throw new Refusal('rate_limited', 'too many failed attempts to sign in with this address', {
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
    });
}

/** It was the right one. */
export async function forgiveGuess(house: House, email: string): Promise<void> {
  await forgiveGuesses(house.db.alone(everyTenant), bucketOf(house, email));
}
