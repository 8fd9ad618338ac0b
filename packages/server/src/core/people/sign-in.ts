import { everyTenant } from '@namehold/base';
import { hashPassword, isDated, isPasswordOf } from '../accounts/password.ts';
import { Refusal } from '../errors.ts';
import { type House, hostOf } from '../house.ts';
import { beginSession, guessOrigin, type OpenedSession, type Origin } from './begin-session.ts';
import { readFactors } from './factor.sql.ts';
import { countGuess, forgiveGuess, userLogin } from './guessing.ts';
import { findPersonByEmail, listMemberships, lockVerified, savePassword } from './person.sql.ts';
import { secondStepHere } from './prove.ts';

/** Whatever is wrong, the answer is one and takes as long: nobody of this address, another password, disabled, in no account. */
export const notSignedIn = () => new Refusal('unauthorized', 'Incorrect email or password.');

export async function signIn(
  house: House,
  from: Origin,
  given: { readonly email: string; readonly password: string },
): Promise<OpenedSession> {
  const login = userLogin(given.email);
  const by = guessOrigin(house, from, login);
  await countGuess(house, login, by);
  const db = house.db.as(everyTenant);
  const person = await findPersonByEmail(db, given.email);
  const isRight = await isPasswordOf(person?.password_hash, given.password);
  // Asked also for nobody: as many statements for whoever is not here.
  const [account] = await listMemberships(db, person?.id ?? '');
  if (!isRight || !person || person.disabled_at || !account) throw notSignedIn();
  await forgiveGuess(house, login, by);
  const rehashed = isDated(person.password_hash) ? await hashPassword(given.password) : undefined;
  return house.db.transaction(everyTenant, async (tx) => {
    if (!(await lockVerified(tx, person))) throw notSignedIn();
    const methods = secondStepHere(await readFactors(tx, person.id, hostOf(house)));
    if (rehashed !== undefined) await savePassword(tx, person.id, rehashed);
    return { ...(await beginSession(house, tx, person, account, from, methods)), login };
  });
}
