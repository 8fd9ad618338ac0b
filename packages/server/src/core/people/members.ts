import { everyTenant, type Tx } from '@namehold/base';
import { audit } from '../audit/audit.ts';
import { notFound, Refusal } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import { tellOfAccess } from '../notices/tell.ts';
import { type ExpectedVersion, requireVersion } from '../version.ts';
import { endCodesOf } from './code.sql.ts';
import {
  countOwners,
  deleteMember,
  findMember,
  listMembers,
  lockAccount,
  type Member,
  saveMember,
} from './member.sql.ts';
import { dueAt } from './person.sql.ts';
import { peopleLimits, type Role, scopesOf } from './person.ts';
import { endSessions } from './session.sql.ts';
import { refuseBeyondOwn, refuseStronger } from './within-own.ts';

export const readMembers = (house: House, actor: Actor): Promise<Member[]> =>
  listMembers(
    house.db.as(everyTenant),
    actor.resellerId,
    house.wall.now(),
    peopleLimits.members + peopleLimits.invitations,
  );

export async function readMember(house: House, actor: Actor, personId: string): Promise<Member> {
  const member = await findMember(house.db.as(everyTenant), actor.resellerId, personId, house.wall.now());
  if (!member) throw notFound('person');
  return member;
}

/** Of what the account decides about a member. */
export const memberVersion = ({ role, scopes, suspended_at }: Member): readonly unknown[] => [
  role,
  scopes,
  suspended_at,
];

export interface MemberChange {
  readonly expected?: ExpectedVersion | undefined;
  readonly role?: Role | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly isSuspended?: boolean | undefined;
}

/** Another role counts from the next sign-in on: the sessions of the person in this account end. */
export async function changeMember(
  house: House,
  actor: Actor,
  personId: string,
  change: MemberChange,
): Promise<Member> {
  const now = house.wall.now();
  return house.db.transaction(everyTenant, async (tx) => {
    const before = await lockMember(tx, actor, personId);
    requireVersion(change.expected, memberVersion(before));
    const role = change.role ?? before.role;
    const named = change.scopes ?? (role === 'staff' && before.role === 'staff' ? before.scopes : undefined);
    const scopes = scopesOf(role, named);
    await refuseBeyondOwn(tx, actor, scopes);
    const isSuspended = change.isSuspended ?? before.suspended_at !== null;
    const suspended_at = isSuspended ? (before.suspended_at ?? now) : null;
    await saveMember(tx, { ...before, role, scopes, suspended_at }, dueAt(now));
    await roleChanged(house, tx, before);
    await tellChanged(house, tx, actor, before, { role, scopes, suspended_at });
    return (await findMember(tx, actor.resellerId, personId, now))!;
  });
}

/** The person goes on being one, in its other accounts. Keys that it made stay. */
export async function removeMember(house: House, actor: Actor, personId: string): Promise<void> {
  await house.db.transaction(everyTenant, async (tx) => {
    const before = await lockMember(tx, actor, personId);
    await deleteMember(tx, actor.resellerId, personId);
    await roleChanged(house, tx, before);
    await tellChanged(house, tx, actor, before, null);
  });
}

/** Signs the person out of this account. */
export async function endMemberSessions(house: House, actor: Actor, personId: string): Promise<number> {
  return house.db.transaction(everyTenant, async (tx) => {
    await lockMember(tx, actor, personId);
    const { resellerId } = actor;
    const after = { ended: await endSessions(tx, personId, { resellerId }, house.wall.now()) };
    await audit(house, tx, actor, { action: 'person.sign_out', objectType: 'person', objectId: personId, after });
    return after.ended;
  });
}

/** One at a time, and nobody who may do more than the actor. */
export async function lockMember(tx: Tx, actor: Actor, personId: string): Promise<Member> {
  await lockAccount(tx, actor.resellerId);
  const before = await findMember(tx, actor.resellerId, personId);
  if (!before) throw notFound('person');
  await refuseStronger(tx, actor, before.scopes);
  return before;
}

/** What every change of a member comes to, once it is written and under the lock of the account. */
export async function roleChanged(house: House, tx: Tx, before: Member): Promise<void> {
  const { reseller_id: resellerId, person_id: personId, email } = before;
  if (before.role === 'owner' && (await countOwners(tx, resellerId)) === 0)
    throw new Refusal('conflict', 'The last owner cannot leave the account. Make another user an owner first.');
  await endSessions(tx, personId, { resellerId }, house.wall.now());
  await endCodesOf(tx, { personId, email, resellerId }, house.wall.now());
}

async function tellChanged(
  house: House,
  tx: Tx,
  actor: Actor,
  { role, scopes, suspended_at, person_id, email }: Member,
  after: Pick<Member, 'role' | 'scopes' | 'suspended_at'> | null,
): Promise<void> {
  const action = after ? 'person.change_role' : 'person.remove';
  const before = { email, role, scopes, suspended_at };
  await audit(house, tx, actor, { action, objectType: 'person', objectId: person_id, before, after });
  const what = after
    ? { en: 'The permissions of a user were changed', id: 'Hak akses seorang pengguna telah diubah' }
    : { en: 'A user was removed from the account', id: 'Seorang pengguna telah dihapus dari akun' };
  await tellOfAccess(house, tx, actor, { resellerId: actor.resellerId, what, label: email });
}
