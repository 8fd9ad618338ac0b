import { allTenants } from '@namehold/base';
import { topAccountOf } from '../../accounts/account.sql.ts';
import type { Actor, AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import { giveGuessBack, takeGuess } from '../../users/guessing.sql.ts';
import { giveTryBack, takeTry } from './move.sql.ts';
import { moveLimits } from './move.ts';

const dayMinutes = 1_440;

/**
 * Counts a try before its code is checked: for the claiming account, and for the domain name with all accounts below the same top
 * account. A new sub-account gives no further tries at the domain, and other accounts cannot use up the tries of the rightful recipient.
 * Returns a function that undoes the count.
 */
export async function countTry(ctx: AppContext, actor: Actor, name: string): Promise<() => Promise<void>> {
  const autocommit = ctx.db.autocommit(allTenants);
  const { wrongCodesPerDay: limit, wrongCodesPerName } = moveLimits;
  const top = await topAccountOf(ctx.db.as(allTenants), actor.resellerId);
  const bucket = `guess-move:${ctx.vault.fingerprint(`${top} ${name}`)}`;
  const waitMs = await takeGuess(autocommit, bucket, wrongCodesPerName, dayMinutes);
  if (waitMs > 0) throw tooMany(limit, Math.ceil(waitMs / 1_000));
  const tries = { resellerId: actor.resellerId, day: ctx.wall.now().toISOString().slice(0, 10), limit };
  if (!(await takeTry(autocommit, tries))) throw tooMany(limit, 3_600);
  return async () => {
    await giveTryBack(autocommit, tries);
    await giveGuessBack(autocommit, bucket, wrongCodesPerName, dayMinutes);
  };
}

const tooMany = (limit: number, retryAfterSeconds: number) =>
  new Refusal('rate_limited', `At most ${limit} wrong codes a day are allowed. Try again tomorrow.`, {
    retryAfterSeconds,
  });
