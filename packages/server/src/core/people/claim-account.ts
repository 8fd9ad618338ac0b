import { everyTenant, type Tx } from '@namehold/base';
import { isEasy } from '../accounts/chosen-password.ts';
import { type OpenedBy, opensEvenly, type StoredPasswords } from '../accounts/password.ts';
import { audit } from '../audit/audit.ts';
import { badField, Refusal } from '../errors.ts';
import type { ActingPerson, Actor, House } from '../house.ts';
import { tellOfAccess } from '../notices/tell.ts';
import { actorIn, type Origin } from './begin-session.ts';
import { findTemporaryHand, lockUnclaimed, spendTemporaryPassword, unclaimedPasswords } from './claim-account.sql.ts';
import { endCodes } from './code.sql.ts';
import { accountLogin, countGuess, countInvitation, forgiveGuess } from './guessing.ts';
import { draftCode } from './invite.ts';
import { mailCode } from './mail-code.ts';
import { listMemberships, putMembership } from './person.sql.ts';
import { type MembershipRow, type Person, peopleLimits } from './person.ts';
import { notSignedIn } from './sign-in.ts';

type Signed = Actor & { readonly person: ActingPerson };

interface Claim {
  readonly resellerId: string;
  readonly email: string;
  readonly password: string;
  readonly newPassword?: string | undefined;
}

/**
 * The first sign-in of an account with its own e-mail address and password, or its temporary one. The password has been looked at. It makes
 * no user yet: a code goes to the mailbox of the account, and whoever redeems it chooses a password and is the first owner. A user with this
 * address redeems it with its own password, or adds the account from within (`claimForMember`). Both get the same answer, so that nobody finds out here
 * which addresses sign in.
 */
export async function claimByMail(
  house: House,
  from: Origin,
  claim: Claim,
  verified: StoredPasswords,
  by: OpenedBy,
): Promise<void> {
  const { resellerId, email } = claim;
  if (!house.mailer)
    throw new Refusal(
      'conflict',
      'This service sends no email, so the email address of the account cannot be confirmed. Ask the operator for an invitation.',
    );
  await countInvitation(house, email);
  const { row, secret } = draftCode(
    house,
    { purpose: 'invite', email, person_id: null },
    peopleLimits.mailedCodeLivesMs,
  );
  await house.db.transaction(everyTenant, async (tx) => {
    // Two at once: the second ends the link of the first.
    if (!(await lockUnclaimed(tx, claim, verified, by))) throw notSignedIn();
    await endCodes(tx, { email, resellerId }, row.created_at);
    const hand = by === 'temporary' ? await findTemporaryHand(tx, resellerId) : null;
    const owner = { role: 'owner', scopes: ['full'], claims: true } as const;
    await mailCode(house, tx, { ...row, ...owner, scopes: [...owner.scopes], reseller_id: resellerId, hand }, secret);
    const actor = { ...from, resellerId, keyId: null, scopes: [], isOperator: false };
    const after = { email, role: 'owner' };
    await audit(house, tx, actor, { action: 'person.invite', objectType: 'person_code', objectId: row.id, after });
  });
}

/** For who is signed in with the address of the account. */
export async function claimForMember(house: House, actor: Signed, person: Person, claim: Claim): Promise<void> {
  const { stored, by } = await requireAccountPassword(house, actor, claim);
  await house.db.transaction(everyTenant, async (tx) => {
    // Two at once: the second finds an owner.
    if (!(await lockUnclaimed(tx, claim, stored, by))) throw notSignedIn();
    await makeOwner(house, tx, actor, person, claim.resellerId, by);
  });
}

/** Who signs in with a temporary password, or with one that anybody would guess, chooses another in the same call. */
export function requireLasting(
  { email, password, newPassword }: Pick<Claim, 'email' | 'password' | 'newPassword'>,
  by: OpenedBy,
): void {
  if (newPassword === password) throw badField('newPassword', 'Must differ from the current password.', 'unchanged');
  if (newPassword !== undefined) return;
  if (by === 'temporary')
    throw badField('newPassword', 'This password is temporary. Choose a new password.', 'required');
  if (isEasy(password, email))
    throw badField('newPassword', 'This password is too easy to guess. Choose another one.', 'required');
}

async function requireAccountPassword(
  house: House,
  actor: Signed,
  { resellerId, email, password }: Claim,
): Promise<{ stored: StoredPasswords; by: OpenedBy }> {
  const login = accountLogin(resellerId, email);
  const from = { address: actor.address, known: actor.person.sessionId };
  await countGuess(house, login, from);
  const stored = await unclaimedPasswords(house.db.as(everyTenant), resellerId, email);
  const by = await opensEvenly(stored, password, house.wall.now());
  if (!stored || !by) throw notSignedIn();
  await forgiveGuess(house, login, from);
  return { stored, by };
}

async function makeOwner(
  house: House,
  tx: Tx,
  from: Pick<Actor, 'address' | 'requestId'>,
  person: Pick<Person, 'id' | 'name' | 'email'>,
  resellerId: string,
  by: OpenedBy,
): Promise<MembershipRow> {
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
  const what = { en: 'A user was added to the account', id: 'Seorang pengguna telah ditambahkan ke akun' };
  await tellOfAccess(house, tx, actor, { resellerId: actor.resellerId, what, label: person.email });
}
