import { allTenants, type Tx } from '@namehold/postgres';
import { hashChosen } from '../accounts/chosen-password.ts';
import { isPasswordOf } from '../accounts/password.ts';
import type { ActingUser, Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, notFound, sessionOver } from '../errors.ts';
import { freshSecret, type OpenedSession } from '../users/begin-session.ts';
import { accountLogin, countGuess, resetGuesses } from '../users/guessing.ts';
import { proveSession, renewSession, type SessionRow } from '../users/session.sql.ts';
import { sessionLifetimes, userLimits } from '../users/user.ts';
import {
  type CustomerSessionRow,
  endCustomerSessions,
  findOwnCustomerSession,
  findSignedCustomer,
  listCustomerSessions,
  lockVerifiedCustomer,
  revokeCustomerSessions,
  type SigningCustomer,
  saveCustomerPassword,
} from './sign-in.sql.ts';

/** A customer in its session: the request pipeline allows no other caller here. */
export type CustomerActor = Actor & { readonly user: ActingUser; readonly customerId: string };

export interface OwnCustomerSession {
  readonly customer: SigningCustomer;
  readonly session: CustomerSessionRow;
  readonly idleEndsAt: Date;
}

export const idleMsOf = ({ is_kept }: { readonly is_kept: boolean }): number =>
  is_kept ? sessionLifetimes.member.wholeMs : sessionLifetimes.member.idleMs;

export async function readCustomerSession(
  ctx: AppContext,
  of: { readonly customerId: string; readonly sessionId: string },
): Promise<OwnCustomerSession> {
  const db = ctx.db.as(allTenants);
  const [customer, session] = await Promise.all([
    findSignedCustomer(db, of.customerId),
    findOwnCustomerSession(db, of.customerId, of.sessionId),
  ]);
  if (!customer || !session) throw sessionOver();
  return { customer, session, idleEndsAt: new Date(session.last_seen_at.getTime() + idleMsOf(session)) };
}

export const signCustomerOut = (ctx: AppContext, actor: CustomerActor): Promise<void> =>
  endCustomerSession(ctx, actor, actor.user.sessionId);

export const readCustomerSessions = (ctx: AppContext, actor: CustomerActor): Promise<SessionRow[]> =>
  listCustomerSessions(ctx.db.as(allTenants), actor.customerId, ctx.wall.now());

/** One of its own; any other does not exist for it. */
export async function endCustomerSession(ctx: AppContext, actor: CustomerActor, id: string): Promise<void> {
  await ctx.db.transaction(allTenants, async (tx) => {
    const end = id === actor.user.sessionId ? endCustomerSessions : revokeCustomerSessions;
    const ended = await end(tx, actor.customerId, { only: id }, ctx.wall.now());
    if (ended === 0) throw notFound('session');
    await audit(ctx, tx, actor, { action: 'session.end', objectType: 'session', objectId: id });
  });
}

export async function endOtherCustomerSessions(ctx: AppContext, actor: CustomerActor): Promise<number> {
  return ctx.db.transaction(allTenants, async (tx) => {
    const { sessionId } = actor.user;
    const ended = await revokeCustomerSessions(tx, actor.customerId, { but: sessionId }, ctx.wall.now());
    const after = { ended };
    await audit(ctx, tx, actor, { action: 'session.end_others', objectType: 'session', objectId: sessionId, after });
    return ended;
  });
}

/** Confirms the customer's identity for sensitive calls: by its password, its only factor. */
export async function proveCustomer(
  ctx: AppContext,
  actor: CustomerActor,
  password: string | undefined,
): Promise<OpenedSession> {
  const customer = await requireRight(ctx, actor, password ?? '');
  const { sessionId } = actor.user;
  return ctx.db.transaction(allTenants, async (tx) => {
    if (!(await lockVerifiedCustomer(tx, customer, 'own'))) throw sessionOver();
    const sudoUntil = new Date(ctx.wall.now().getTime() + userLimits.sudoMs);
    if (!(await proveSession(tx, sessionId, sudoUntil))) throw sessionOver();
    const after = { method: 'password' };
    await audit(ctx, tx, actor, { action: 'session.sudo', objectType: 'session', objectId: sessionId, after });
    return changeCustomerSecret(ctx, tx, actor);
  });
}

async function changeCustomerSecret(ctx: AppContext, tx: Tx, actor: CustomerActor): Promise<OpenedSession> {
  const { id: userId, sessionId, secretFingerprint: by } = actor.user;
  const { secret, ...next } = freshSecret(ctx);
  const endsAt = await renewSession(tx, { id: sessionId, by, resellerId: actor.resellerId, endsBy: null }, next);
  if (!endsAt) throw sessionOver();
  return { sessionId, userId, customerId: actor.customerId, secret, endsAt };
}

const wrongPassword = () => badField('password', 'The current password is incorrect.', 'wrong');

async function requireRight(ctx: AppContext, actor: CustomerActor, password: string): Promise<SigningCustomer> {
  const customer = await findSignedCustomer(ctx.db.as(allTenants), actor.customerId);
  if (!customer) throw sessionOver();
  const login = accountLogin(customer.reseller_id, customer.email);
  const from = { address: actor.address, known: actor.user.sessionId };
  await countGuess(ctx, login, from);
  if (!(await isPasswordOf(customer.password_hash, password, actor))) throw wrongPassword();
  await resetGuesses(ctx, login, from);
  return customer;
}

/** Ends every other session: an earlier holder of the password is signed out. */
export async function changeCustomerPassword(
  ctx: AppContext,
  actor: CustomerActor,
  order: { readonly password: string; readonly newPassword: string },
): Promise<OpenedSession> {
  const customer = await requireRight(ctx, actor, order.password);
  const hash = await hashChosen(order.newPassword, customer.email, 'newPassword', actor);
  return ctx.db.transaction(allTenants, async (tx) => {
    if (!(await lockVerifiedCustomer(tx, customer, 'own'))) throw wrongPassword();
    // The creator of the previous password may be the one who changes it now.
    await saveCustomerPassword(tx, actor.resellerId, customer.id, { hash, maker: customer.password_maker });
    const opened = await changeCustomerSecret(ctx, tx, actor);
    await revokeCustomerSessions(tx, customer.id, { but: opened.sessionId }, ctx.wall.now());
    await audit(ctx, tx, actor, { action: 'customer.password', objectType: 'customer', objectId: customer.id });
    return opened;
  });
}
