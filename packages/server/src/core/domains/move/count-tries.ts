import { everyTenant } from '@namehold/base';
import { Refusal } from '../../errors.ts';
import type { Actor, House } from '../../house.ts';
import { giveGuessBack, takeGuess } from '../../people/guessing.sql.ts';
import { giveTryBack, takeTry, topAccountOf } from './move.sql.ts';
import { moveLimits } from './move.ts';

const dayMinutes = 1_440;

/**
 * Counts a try before its code is looked at: for the account that claims, and for the domain name and all accounts below the same top account. A new
 * sub-account has no further tries at the name, and no stranger uses up those of the rightful taker. Returns what gives the try back.
 */
export async function countTry(house: House, actor: Actor, name: string): Promise<() => Promise<void>> {
  const alone = house.db.alone(everyTenant);
  const { wrongCodesPerDay: limit, wrongCodesPerName } = moveLimits;
  const top = await topAccountOf(house.db.as(everyTenant), actor.resellerId);
  const bucket = `guess-move:${house.vault.fingerprint(`${top} ${name}`)}`;
  const waitMs = await takeGuess(alone, bucket, wrongCodesPerName, dayMinutes);
  if (waitMs > 0) throw tooMany(limit, Math.ceil(waitMs / 1_000));
  const tries = { resellerId: actor.resellerId, day: house.wall.now().toISOString().slice(0, 10), limit };
  if (!(await takeTry(alone, tries))) throw tooMany(limit, 3_600);
  return async () => {
    await giveTryBack(alone, tries);
    await giveGuessBack(alone, bucket, wrongCodesPerName, dayMinutes);
  };
}

const tooMany = (limit: number, retryAfterSeconds: number) =>
  new Refusal('rate_limited', `${limit} wrong codes a day are enough; try again tomorrow`, { retryAfterSeconds });
