import { everyTenant, type Tx } from '@namehold/base';
import { hashChosen, isEasy } from '../accounts/chosen-password.ts';
import { type OpenedBy, opensEvenly } from '../accounts/password.ts';
import { audit } from '../audit/audit.ts';
import { badField, Refusal } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import { tellOfAccess } from '../notices/tell.ts';
import { actorIn, beginSession, type OpenedSession, type Origin } from './begin-session.ts';
import { lockWithoutOwner, spendTemporaryPassword, unclaimedPasswords } from './claim-account.sql.ts';
import { countGuess, forgiveGuess } from './guessing.ts';
import { findPersonByEmail, insertPerson, listMemberships, putMembership } from './person.sql.ts';
import { type MembershipRow, type Person, peopleLimits } from './person.ts';
import { notSignedIn } from './sign-in.ts';

interface Claim {
  readonly resellerId: string;
  readonly email: string;
  readonly password: string;
  readonly newPassword?: string | undefined;
}

const signsInAlready = () =>
  new Refusal(
    'conflict',
    'this address signs in already: sign in with its own password, then change to the account with the password of the account',
  );

/**
 * The first sign-in of an account: its own e-mail address and password, or its temporary one, make its first owner. From then on they
 * open nothing here. Whose address signs in already adds the account from within (`claimForMember`). The password has been looked at; a
 * temporary one does not become the person's: whoever made it knows it.
 */
export async function claimWithRightPassword(
  house: House,
  from: Origin,
  claim: Claim,
  by: OpenedBy,
): Promise<OpenedSession> {
  if (await findPersonByEmail(house.db.as(everyTenant), claim.email)) throw signsInAlready();
  requireLasting(claim, by);
  const now = house.wall.now();
  const name = claim.email.slice(0, peopleLimits.nameLength);
  const person = { id: house.ids.next('per'), email: claim.email, name, created_at: now };
  const password_hash = await hashChosen(claim.newPassword ?? claim.password, claim.email, 'newPassword');
  return house.db.transaction(everyTenant, async (tx) => {
    if (!(await insertPerson(tx, { ...person, password_hash }))) throw signsInAlready();
    const account = await makeOwner(house, tx, from, person, claim.resellerId, by);
    return beginSession(house, tx, person, account, from);
  });
}

/** For who is signed in with the address of the account. */
export async function claimForMember(house: House, actor: Actor, person: Person, claim: Claim): Promise<void> {
  const by = await requireAccountPassword(house, claim);
  await house.db.transaction(everyTenant, (tx) => makeOwner(house, tx, actor, person, claim.resellerId, by));
}

/** Who signs in with a temporary password, or with one that anybody would guess, chooses another in the same call. */
export function requireLasting(
  { email, password, newPassword }: Pick<Claim, 'email' | 'password' | 'newPassword'>,
  by: OpenedBy,
): void {
  if (newPassword === password) throw badField('newPassword', 'must not be the one that is replaced', 'unchanged');
  if (newPassword !== undefined) return;
  if (by === 'temporary')
    throw badField('newPassword', 'this password is a temporary one: choose one of your own', 'required');
  if (isEasy(password, email))
    throw badField('newPassword', 'this password is too easy to guess: choose one of your own', 'required');
}

async function requireAccountPassword(house: House, { resellerId, email, password }: Claim): Promise<OpenedBy> {
  await countGuess(house, email);
  const stored = await unclaimedPasswords(house.db.as(everyTenant), resellerId, email);
  const by = await opensEvenly(stored, password, house.wall.now());
  if (!by) throw notSignedIn();
  await forgiveGuess(house, email);
  return by;
}

async function makeOwner(
  house: House,
  tx: Tx,
  from: Pick<Actor, 'address' | 'requestId'>,
  person: Pick<Person, 'id' | 'name' | 'email'>,
  resellerId: string,
  by: OpenedBy,
): Promise<MembershipRow> {
  // Two at once: the second finds an owner.
  if (!(await lockWithoutOwner(tx, resellerId))) throw notSignedIn();
  const hand = by === 'temporary' ? await spendTemporaryPassword(tx, resellerId) : null;
  const role = { role: 'owner', scopes: ['full'] } as const;
  await putMembership(tx, { personId: person.id, resellerId, ...role, hand, createdAt: house.wall.now() });
  const account = (await listMemberships(tx, person.id)).find((each) => each.reseller_id === resellerId)!;
  await tellJoined(house, tx, actorIn(from, account, person, ''), person, account);
  return account;
}

/** Into the log of the account, and told to it. */
export async function tellJoined(
  house: House,
  tx: Tx,
  actor: Actor,
  person: Pick<Person, 'id' | 'email'>,
  { role, scopes }: Pick<MembershipRow, 'role' | 'scopes'>,
): Promise<void> {
  const after = { email: person.email, role, scopes };
  await audit(house, tx, actor, { action: 'person.join', objectType: 'person', objectId: person.id, after });
  const what = { en: 'A person can sign in to the account', id: 'Seseorang dapat masuk ke akun' };
  await tellOfAccess(house, tx, actor, { resellerId: actor.resellerId, what, label: person.email });
}
