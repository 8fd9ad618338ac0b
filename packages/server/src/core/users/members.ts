import { allTenants, type Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { notFound, Refusal } from '../errors.ts';
import { notifyAccessChange } from '../notices/notify-recipients.ts';
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
import { refusePrivilegeEscalation, refuseStrongerUser } from './privilege-limits.ts';
import { revokeSessions } from './revoke-sessions.ts';
import { dueAt } from './user.sql.ts';
import { type Role, scopesOf, userLimits } from './user.ts';

export const readMembers = (ctx: AppContext, actor: Actor): Promise<Member[]> =>
  listMembers(ctx.db.as(allTenants), actor.resellerId, ctx.wall.now(), userLimits.members + userLimits.invitations);

export async function readMember(ctx: AppContext, actor: Actor, userId: string): Promise<Member> {
  const member = await findMember(ctx.db.as(allTenants), actor.resellerId, userId, ctx.wall.now());
  if (!member) throw notFound('person');
  return member;
}

/** Settings of a member that the account decides. */
export const memberVersion = ({ role, scopes, suspended_at }: Member): readonly unknown[] => [
  role,
  scopes,
  suspended_at,
];

interface MemberChange {
  readonly expected?: ExpectedVersion | undefined;
  readonly role?: Role | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly isSuspended?: boolean | undefined;
}

/** Another role applies from the next sign-in: the sessions of the user in this account end. */
export async function changeMember(
  ctx: AppContext,
  actor: Actor,
  userId: string,
  change: MemberChange,
): Promise<Member> {
  const now = ctx.wall.now();
  return ctx.db.transaction(allTenants, async (tx) => {
    const before = await lockMember(tx, actor, userId);
    requireVersion(change.expected, memberVersion(before));
    const role = change.role ?? before.role;
    const named = change.scopes ?? (role === 'staff' && before.role === 'staff' ? before.scopes : undefined);
    const scopes = scopesOf(role, named);
    await refusePrivilegeEscalation(tx, actor, scopes);
    const isSuspended = change.isSuspended ?? before.suspended_at !== null;
    const suspended_at = isSuspended ? (before.suspended_at ?? now) : null;
    await saveMember(tx, { ...before, role, scopes, suspended_at }, dueAt(now));
    await roleChanged(ctx, tx, before);
    await notifyRoleChanged(ctx, tx, actor, before, { role, scopes, suspended_at });
    return (await findMember(tx, actor.resellerId, userId, now))!;
  });
}

/** The user keeps the other accounts. Keys made by the user stay. */
export async function removeMember(ctx: AppContext, actor: Actor, userId: string): Promise<void> {
  await ctx.db.transaction(allTenants, async (tx) => {
    const before = await lockMember(tx, actor, userId);
    await deleteMember(tx, actor.resellerId, userId);
    await roleChanged(ctx, tx, before);
    await notifyRoleChanged(ctx, tx, actor, before, null);
  });
}

/** Signs the user out of this account. */
export async function endMemberSessions(ctx: AppContext, actor: Actor, userId: string): Promise<number> {
  return ctx.db.transaction(allTenants, async (tx) => {
    await lockMember(tx, actor, userId);
    const { resellerId } = actor;
    const after = { ended: await revokeSessions(ctx, tx, userId, { resellerId }) };
    await audit(ctx, tx, actor, { action: 'person.sign_out', objectType: 'person', objectId: userId, after });
    return after.ended;
  });
}

/** One change at a time, and of no member with more rights than the actor. */
export async function lockMember(tx: Tx, actor: Actor, userId: string): Promise<Member> {
  await lockAccount(tx, actor.resellerId);
  const before = await findMember(tx, actor.resellerId, userId);
  if (!before) throw notFound('person');
  await refuseStrongerUser(tx, actor, before.scopes);
  return before;
}

/** Checks common to every change of a member, after it is written and under the lock of the account. */
export async function roleChanged(ctx: AppContext, tx: Tx, before: Member): Promise<void> {
  const { reseller_id: resellerId, person_id: userId, email } = before;
  if (before.role === 'owner' && (await countOwners(tx, resellerId)) === 0)
    throw new Refusal('conflict', 'The last owner cannot leave the account. Make another user an owner first.');
  await revokeSessions(ctx, tx, userId, { resellerId });
  await endCodesOf(tx, { userId, email, resellerId }, ctx.wall.now());
}

async function notifyRoleChanged(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  { role, scopes, suspended_at, person_id, email }: Member,
  after: Pick<Member, 'role' | 'scopes' | 'suspended_at'> | null,
): Promise<void> {
  const action = after ? 'person.change_role' : 'person.remove';
  const before = { email, role, scopes, suspended_at };
  await audit(ctx, tx, actor, { action, objectType: 'person', objectId: person_id, before, after });
  const what = after
    ? { en: 'The permissions of a user were changed', id: 'Hak akses seorang pengguna telah diubah' }
    : { en: 'A user was removed from the account', id: 'Seorang pengguna telah dihapus dari akun' };
  await notifyAccessChange(ctx, tx, actor, { resellerId: actor.resellerId, topic: 'users', what, label: email });
}
