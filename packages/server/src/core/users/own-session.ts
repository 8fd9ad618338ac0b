import { allTenants } from '@namehold/postgres';
import type { ActingUser, Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, notFound, Refusal, sessionOver } from '../errors.ts';
import { changeSecret, type OpenedSession, refuseForeignBrandHost } from './begin-session.ts';
import { claimForMember } from './claim-account.ts';
import { findReset } from './factor-reset.sql.ts';
import { revokeSessions } from './revoke-sessions.ts';
import { endSessions, findOwnSession, listSessions, type SessionRow } from './session.sql.ts';
import { findUser, listMemberships, markWorkedIn, type UserWithPassword } from './user.sql.ts';
import { type MembershipRow, sessionLifetimeOf, type User } from './user.ts';

/** A user in a session, as these verbs get it: the request pipeline allows no other caller here. */
export type UserActor = Actor & { readonly user: ActingUser };

export async function requireUser(ctx: AppContext, actor: UserActor): Promise<UserWithPassword> {
  const user = await findUser(ctx.db.as(allTenants), actor.user.id);
  if (!user) throw notFound('person');
  return user;
}

export interface OwnSession {
  readonly user: User;
  readonly session: SessionRow;
  readonly idleEndsAt: Date;
  readonly account: MembershipRow;
  readonly accounts: readonly MembershipRow[];
  /** When the user's second factors are removed, by another user's request. */
  readonly factorsEndAt: Date | null;
}

export async function readSession(
  ctx: AppContext,
  of: { readonly userId: string; readonly sessionId: string },
): Promise<OwnSession> {
  const db = ctx.db.as(allTenants);
  const [user, session, accounts, reset] = await Promise.all([
    findUser(db, of.userId),
    findOwnSession(db, of.userId, of.sessionId),
    listMemberships(db, of.userId),
    findReset(db, of.userId),
  ]);
  const account = accounts.find((each) => each.reseller_id === session?.reseller_id);
  if (!user || !session || !account) throw sessionOver();
  const idleEndsAt = new Date(session.last_seen_at.getTime() + sessionLifetimeOf(account).idleMs);
  return { user, session, idleEndsAt, account, accounts, factorsEndAt: reset?.due_at ?? null };
}

const worksElsewhere = () =>
  new Refusal('conflict', 'You also belong to other accounts. Sign in at the main address of the service.');

/** Continues the session in another account. With the address and password of an account without an owner, the user becomes its owner. */
export async function switchAccount(
  ctx: AppContext,
  actor: UserActor,
  order: { readonly resellerId: string; readonly password?: string | undefined },
): Promise<OpenedSession> {
  const user = await requireUser(ctx, actor);
  const { resellerId, password } = order;
  const db = ctx.db.as(allTenants);
  const isMember = async () => (await listMemberships(db, user.id)).some((each) => each.reseller_id === resellerId);
  if (password !== undefined && !(await isMember())) await claim(ctx, actor, user, resellerId, password);
  return ctx.db.transaction(allTenants, async (tx) => {
    const account = (await listMemberships(tx, user.id)).find((each) => each.reseller_id === resellerId);
    if (!account) throw badField('reseller', 'You are not a member of this account.', 'not_found');
    await refuseForeignBrandHost(ctx, tx, user.id, worksElsewhere);
    const now = ctx.wall.now();
    const opened = await changeSecret(ctx, tx, actor.user, account);
    await markWorkedIn(tx, user.id, resellerId, now);
    const there = { ...actor, resellerId, isOperator: account.parent_id === null };
    const after = { from_reseller_id: actor.resellerId, role: account.role };
    const change = { action: 'session.switch', objectType: 'session', objectId: actor.user.sessionId, after };
    await audit(ctx, tx, there, change);
    return opened;
  });
}

async function claim(ctx: AppContext, actor: UserActor, user: User, resellerId: string, password: string) {
  try {
    await claimForMember(ctx, actor, user, { resellerId, email: user.email, password });
  } catch (error) {
    // The session is valid; the error belongs to a field.
    if (error instanceof Refusal && error.code === 'unauthorized')
      throw badField('reseller', 'You are not a member of this account, or the password is incorrect.', 'not_found');
    throw error;
  }
}

export async function signOut(ctx: AppContext, actor: UserActor): Promise<void> {
  await endOne(ctx, actor, actor.user.sessionId);
}

export const readMySessions = (ctx: AppContext, actor: UserActor): Promise<SessionRow[]> =>
  listSessions(ctx.db.as(allTenants), actor.user.id, ctx.wall.now());

export async function endOtherSessions(ctx: AppContext, actor: UserActor): Promise<number> {
  return ctx.db.transaction(allTenants, async (tx) => {
    const { id, sessionId } = actor.user;
    const ended = await revokeSessions(ctx, tx, id, { but: sessionId });
    const after = { ended };
    await audit(ctx, tx, actor, { action: 'session.end_others', objectType: 'session', objectId: sessionId, after });
    return ended;
  });
}

/** One of the user's own; any other does not exist. What another session started ends with it. */
export async function endOne(ctx: AppContext, actor: UserActor, id: string): Promise<void> {
  await ctx.db.transaction(allTenants, async (tx) => {
    const { id: userId, sessionId } = actor.user;
    const ended =
      id === sessionId
        ? await endSessions(tx, userId, { only: id }, ctx.wall.now())
        : await revokeSessions(ctx, tx, userId, { only: id });
    if (ended === 0) throw notFound('session');
    await audit(ctx, tx, actor, { action: 'session.end', objectType: 'session', objectId: id });
  });
}
