import { everyTenant } from '@namehold/base';
import { audit } from '../audit/audit.ts';
import { Refusal, sessionOver } from '../errors.ts';
import { type House, hostOf } from '../house.ts';
import { beginSession, changeSecret, guessOrigin, type OpenedSession, type Origin } from './begin-session.ts';
import { findPasskeyByCredential, readFactors } from './factor.sql.ts';
import { userLogin } from './guessing.ts';
import { type PersonAtWork, requirePerson } from './own-session.ts';
import type { PasskeyAnswer } from './passkey-verifier.ts';
import { listMemberships, lockPerson, lockVerified, type PersonWithPassword } from './person.sql.ts';
import { peopleLimits } from './person.ts';
import { type Method, type Proof, prove, secondMethods, sudoMethods, usePasskey } from './prove.ts';
import { proveSession } from './session.sql.ts';

/** Guesses in a session that has passed its second step are counted for that session. */
const originIn = ({ address, person }: PersonAtWork) => ({ address, known: person.sessionId, isBrowser: false });

/** Whom a half session waits for; with its second step it is a whole one, under another secret. */
export async function finishSignIn(
  house: House,
  actor: PersonAtWork,
  from: Origin,
  proof: Proof,
): Promise<OpenedSession> {
  const person = await requirePerson(house, actor);
  const has = await readFactors(house.db.as(everyTenant), person.id, hostOf(house));
  const login = userLogin(person.email);
  // Not by the session: whoever has the password can begin as many half sessions as wanted.
  const origin = { ...guessOrigin(house, from, login), isBrowser: true };
  const method = await prove(house, origin, person, proof, secondMethods(has));
  return { ...(await proven(house, actor, person, 'session.factor', method)), login };
}

/** Who it is, once more, for what matters. */
export async function proveAgain(house: House, actor: PersonAtWork, proof: Proof): Promise<OpenedSession> {
  const person = await requirePerson(house, actor);
  const has = await readFactors(house.db.as(everyTenant), person.id, hostOf(house));
  const method = await prove(house, originIn(actor), person, proof, sudoMethods(has));
  return proven(house, actor, person, 'session.sudo', method);
}

async function proven(
  house: House,
  actor: PersonAtWork,
  person: PersonWithPassword,
  action: string,
  method: Method,
): Promise<OpenedSession> {
  const { id: personId, sessionId } = actor.person;
  return house.db.transaction(everyTenant, async (tx) => {
    if (method === 'password' && !(await lockVerified(tx, person))) throw sessionOver();
    const account = (await listMemberships(tx, personId)).find((each) => each.reseller_id === actor.resellerId);
    if (!account) throw sessionOver();
    const sudoUntil = new Date(house.wall.now().getTime() + peopleLimits.sudoMs);
    if (!(await proveSession(tx, sessionId, sudoUntil))) throw sessionOver();
    const change = { action, objectType: 'session', objectId: sessionId, after: { method } };
    await audit(house, tx, actor, change);
    return changeSecret(house, tx, actor.person, account);
  });
}

/** A passkey is both steps in one: something that one has, opened by what one is or knows. No address is named, so none can be kept out. */
export async function signInByPasskey(house: House, from: Origin, answer: PasskeyAnswer): Promise<OpenedSession> {
  const refused = () => new Refusal('unauthorized', 'This passkey is not recognised.');
  const used = await usePasskey(house, answer, null);
  if (!used) throw refused();
  return house.db.transaction(everyTenant, async (tx) => {
    const person = await lockPerson(tx, used.person_id);
    // It may have been removed since it was verified; the removal ended only the sessions that were open then.
    const isStillThere = (await findPasskeyByCredential(tx, used.credential_id))?.id === used.id;
    const [account] = person ? await listMemberships(tx, person.id) : [];
    if (!person || person.disabled_at || !isStillThere || !account) throw refused();
    return { ...(await beginSession(house, tx, person, account, from)), login: userLogin(person.email) };
  });
}
