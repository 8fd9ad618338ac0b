import { allTenants } from '@namehold/postgres';
import { hashPassword, isDated, isPasswordOf } from '../accounts/password.ts';
import { type AppContext, brandHostOf } from '../app-context.ts';
import { Refusal } from '../errors.ts';
import { beginSession, guessOrigin, type OpenedSession, type Origin } from './begin-session.ts';
import { readFactors } from './factor.sql.ts';
import { countGuess, resetGuesses, userLogin } from './guessing.ts';
import { findUserByEmail, listMemberships, lockVerified, savePassword } from './user.sql.ts';
import { pendingTwoFactor } from './verify-factor.ts';

/** The same message and the same time for an unknown address, a wrong password, a disabled user and a user without an account. */
export const notSignedIn = () => new Refusal('unauthorized', 'Incorrect email or password.');

export async function signIn(
  ctx: AppContext,
  from: Origin,
  given: { readonly email: string; readonly password: string },
): Promise<OpenedSession> {
  const login = userLogin(given.email);
  const by = guessOrigin(ctx, from, login);
  await countGuess(ctx, login, by);
  const db = ctx.db.as(allTenants);
  const user = await findUserByEmail(db, given.email);
  const isRight = await isPasswordOf(user?.password_hash, given.password, by);
  // Also runs for an unknown user: the number of statements must be the same.
  const [account] = await listMemberships(db, user?.id ?? '');
  if (!isRight || !user || user.disabled_at || !account) throw notSignedIn();
  await resetGuesses(ctx, login, by);
  const rehashed = isDated(user.password_hash) ? await hashPassword(given.password, by) : undefined;
  return ctx.db.transaction(allTenants, async (tx) => {
    if (!(await lockVerified(tx, user))) throw notSignedIn();
    const methods = pendingTwoFactor(await readFactors(tx, user.id, brandHostOf(ctx)));
    if (rehashed !== undefined) await savePassword(tx, user.id, rehashed);
    return { ...(await beginSession(ctx, tx, user, account, from, methods)), login };
  });
}
