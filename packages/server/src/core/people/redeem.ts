import { everyTenant, type Tx } from '@namehold/base';
import { refuseEasy } from '../accounts/chosen-password.ts';
import { hashPassword, isPasswordOf } from '../accounts/password.ts';
import { audit } from '../audit/audit.ts';
import { Refusal } from '../errors.ts';
import { type House, hostOf } from '../house.ts';
import { actorIn, beginSession, guessOrigin, type OpenedSession, type Origin } from './begin-session.ts';
import { lockWithoutOwner, spendTemporaryPassword } from './claim-account.sql.ts';
import { tellJoined } from './claim-account.ts';
import { countCodeMiss, endRecoveryCodes, findOpenCode, type PersonCode, useCode } from './code.sql.ts';
import { readFactors } from './factor.sql.ts';
import { countGuess, forgiveGuess, userLogin } from './guessing.ts';
import { findMember, lockAccount } from './member.sql.ts';
import { roleChanged } from './members.ts';
import {
  findPerson,
  findPersonByEmail,
  insertPerson,
  listMemberships,
  lockVerified,
  type PersonWithPassword,
  putMembership,
  savePassword,
} from './person.sql.ts';
import { peopleLimits } from './person.ts';
import { secondStepHere } from './prove.ts';
import { endSessions } from './session.sql.ts';

export interface Redemption {
  readonly code: string;
  readonly password: string;
  readonly name?: string | undefined;
}

/** Whatever is wrong, the answer is one: used, ended, never made, or not the password. */
const refused = () => new Refusal('unauthorized', 'The code or the password is incorrect.');

/**
 * Signs in with a code, once. An invitation makes a person, with the password that is given; who is a person already must know its own,
 * so that whoever wrote the invitation cannot become somebody else by it. A recovery gives a new password and ends every session.
 */
export async function redeemCode(house: House, from: Origin, given: Redemption): Promise<OpenedSession> {
  const db = house.db.as(everyTenant);
  const code = await findOpenCode(db, house.vault.fingerprint(given.code), house.wall.now());
  if (!code) throw refused();
  const isInvitation = code.purpose === 'invite';
  const known = await (isInvitation ? findPersonByEmail(db, code.email) : findPerson(db, code.person_id!));
  const keepsPassword = isInvitation && known !== undefined;
  // Who is asked for another password has not guessed at the code.
  if (!keepsPassword) refuseEasy(given.password, known?.email ?? code.email, 'password');
  if (isInvitation && !known) refuseUnproven(code);
  if (!(await house.db.transaction(everyTenant, (tx) => countCodeMiss(tx, code.id)))) throw refused();
  if (known?.disabled_at || (!isInvitation && !known)) throw refused();
  if (keepsPassword) await requirePassword(house, from, known, given.password);
  const hash = keepsPassword ? known.password_hash : await hashPassword(given.password);
  return house.db.transaction(everyTenant, async (tx) => {
    if (known && !(await lockVerified(tx, known))) throw refused();
    if (!(await useCode(tx, code.id, house.wall.now()))) throw refused();
    const opened = isInvitation
      ? await join(house, tx, from, code, known, given, hash)
      : await recover(house, tx, from, known!, hash);
    return { ...opened, login: userLogin(known?.email ?? code.email) };
  });
}

/** A user exists only once its mailbox is proven: by a mailed code, or by the word of whoever runs the service. */
function refuseUnproven({ is_mailed, made_by }: PersonCode): void {
  if (is_mailed || made_by === null) return;
  throw new Refusal(
    'conflict',
    'This invitation was not sent by email, so it cannot create a new user. Request another invitation, or contact the operator.',
  );
}

/** A guess at the password of a user, as at the sign-in: anybody may make invitations for an address, and get new tries with each. */
async function requirePassword(
  house: House,
  from: Origin,
  { email, password_hash }: PersonWithPassword,
  password: string,
): Promise<void> {
  const login = userLogin(email);
  const origin = guessOrigin(house, from, login);
  await countGuess(house, login, origin);
  if (!(await isPasswordOf(password_hash, password))) throw refused();
  await forgiveGuess(house, login, origin);
}

async function join(
  house: House,
  tx: Tx,
  from: Origin,
  code: PersonCode,
  known: PersonWithPassword | undefined,
  given: Redemption,
  hash: string,
): Promise<OpenedSession> {
  const now = house.wall.now();
  const name = (given.name ?? code.email).slice(0, peopleLimits.nameLength);
  const person = known ?? { id: house.ids.next('per'), email: code.email, name, password_hash: hash, created_at: now };
  // Somebody else came to be with this address meanwhile.
  if (!known && !(await insertPerson(tx, person))) throw refused();
  const member = {
    personId: person.id,
    resellerId: code.reseller_id!,
    role: code.role!,
    scopes: code.scopes!,
    hand: code.hand,
  };
  if (code.claims && !(await lockWithoutOwner(tx, member.resellerId))) throw refused();
  await lockAccount(tx, member.resellerId);
  const before = await findMember(tx, member.resellerId, person.id);
  await putMembership(tx, { ...member, createdAt: now });
  if (before) await roleChanged(house, tx, before);
  if (code.claims) await spendTemporaryPassword(tx, member.resellerId);
  const account = (await listMemberships(tx, person.id)).find((each) => each.reseller_id === code.reseller_id);
  if (!account) throw refused();
  const methods = known ? secondStepHere(await readFactors(tx, known.id, hostOf(house))) : [];
  const opened = await beginSession(house, tx, person, account, from, methods);
  await tellJoined(house, tx, actorIn(from, account, person, opened.sessionId), person, account);
  return opened;
}

async function recover(
  house: House,
  tx: Tx,
  from: Origin,
  person: PersonWithPassword,
  hash: string,
): Promise<OpenedSession> {
  const [account] = await listMemberships(tx, person.id);
  if (!account) throw refused();
  await savePassword(tx, person.id, hash);
  await endRecoveryCodes(tx, person.id, house.wall.now());
  await endSessions(tx, person.id, {}, house.wall.now());
  const methods = secondStepHere(await readFactors(tx, person.id, hostOf(house)));
  const opened = await beginSession(house, tx, person, account, from, methods);
  const actor = actorIn(from, account, person, opened.sessionId);
  await audit(house, tx, actor, { action: 'person.password', objectType: 'person', objectId: person.id });
  return opened;
}
