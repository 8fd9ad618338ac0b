import { everyTenant } from '@namehold/base';
import { hashChosen } from '../accounts/chosen-password.ts';
import { isPasswordOf } from '../accounts/password.ts';
import { audit } from '../audit/audit.ts';
import { badField, notFound, sessionOver } from '../errors.ts';
import type { House } from '../house.ts';
import { changeSecret, type OpenedSession } from './begin-session.ts';
import { endRecoveryCodes } from './code.sql.ts';
import { countGuess, forgiveGuess, userLogin } from './guessing.ts';
import { type PersonAtWork, requirePerson } from './own-session.ts';
import { listMemberships, lockPerson, lockVerified, savePassword, savePerson } from './person.sql.ts';
import type { Language, Person } from './person.ts';
import { endSessions } from './session.sql.ts';

export const readMe = (house: House, actor: PersonAtWork): Promise<Person> => requirePerson(house, actor);

export interface MeChange {
  readonly name?: string | undefined;
  readonly language?: Language | undefined;
  readonly timeZone?: string | undefined;
}

export async function changeMe(house: House, actor: PersonAtWork, change: MeChange): Promise<Person> {
  if (change.timeZone !== undefined && !isTimeZone(change.timeZone))
    throw badField('timeZone', 'Must be an IANA time zone, such as Asia/Jakarta.');
  return house.db.transaction(everyTenant, async (tx) => {
    const before = await lockPerson(tx, actor.person.id);
    if (!before) throw notFound('person');
    const after = await savePerson(tx, before.id, {
      name: change.name ?? before.name,
      language: change.language ?? before.language,
      time_zone: change.timeZone ?? before.time_zone,
    });
    const { password_hash: _, ...was } = before;
    await audit(house, tx, actor, {
      action: 'person.change',
      objectType: 'person',
      objectId: before.id,
      before: was,
      after,
    });
    return after;
  });
}

function isTimeZone(text: string): boolean {
  try {
    // Offsets such as +07:00 pass too, and have no summer: a name is wanted.
    return /^[A-Za-z]/.test(text) && new Intl.DateTimeFormat('en', { timeZone: text }) !== undefined;
  } catch {
    return false;
  }
}

const wrongPassword = () => badField('password', 'The current password is incorrect.', 'wrong');

/** Every other session ends with it: who knew the old one is out. */
export async function changePassword(
  house: House,
  actor: PersonAtWork,
  order: { readonly password: string; readonly newPassword: string },
): Promise<OpenedSession> {
  const person = await requirePerson(house, actor);
  const login = userLogin(person.email);
  const from = { address: actor.address, known: actor.person.sessionId };
  await countGuess(house, login, from);
  if (!(await isPasswordOf(person.password_hash, order.password))) throw wrongPassword();
  await forgiveGuess(house, login, from);
  const hash = await hashChosen(order.newPassword, person.email, 'newPassword');
  return house.db.transaction(everyTenant, async (tx) => {
    const account = (await listMemberships(tx, person.id)).find((each) => each.reseller_id === actor.resellerId);
    if (!account) throw sessionOver();
    if (!(await lockVerified(tx, person))) throw wrongPassword();
    await savePassword(tx, person.id, hash);
    await endRecoveryCodes(tx, person.id, house.wall.now());
    const opened = await changeSecret(house, tx, actor.person, account);
    await endSessions(tx, person.id, { but: opened.sessionId }, house.wall.now());
    await audit(house, tx, actor, { action: 'person.password', objectType: 'person', objectId: person.id });
    return opened;
  });
}
