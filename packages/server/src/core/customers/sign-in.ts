import { allTenants, type Tx } from '@namehold/postgres';
import { hashChosen } from '../accounts/chosen-password.ts';
import { type OpenedBy, opensEvenly } from '../accounts/password.ts';
import { type Actor, type AppContext, brandHostOf } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { actingCustomerId, scopesOfAccess } from '../model/customer-access.ts';
import { freshSecret, guessOrigin, type OpenedSession, type Origin } from '../users/begin-session.ts';
import { unclaimedPasswords } from '../users/claim-account.sql.ts';
import { claimByMail, requireLasting } from '../users/claim-account.ts';
import { accountLogin, countGuess, resetGuesses } from '../users/guessing.ts';
import { notSignedIn } from '../users/sign-in.ts';
import { sessionLifetimes, userLimits } from '../users/user.ts';
import {
  findSigningCustomer,
  insertCustomerSession,
  lockVerifiedCustomer,
  revokeCustomerSessions,
  type SigningCustomer,
  saveCustomerPassword,
} from './sign-in.sql.ts';

interface AccountSignIn {
  readonly resellerId: string;
  readonly email: string;
  readonly password: string;
  readonly newPassword?: string | undefined;
  readonly isKept?: boolean | undefined;
}

/** A session, or a link that was mailed to the account's address. */
type AtAccount = OpenedSession | 'mailed';

/**
 * With an account named, its customers sign in; or, while the account has no owner and the address is the account's own, its first
 * owner. Every failure gives the same answer, after the same statements and the same work.
 */
export async function signInAtAccount(ctx: AppContext, from: Origin, given: AccountSignIn): Promise<AtAccount> {
  const login = accountLogin(given.resellerId, given.email);
  const origin = guessOrigin(ctx, from, login);
  await countGuess(ctx, login, origin);
  const db = ctx.db.as(allTenants);
  const unclaimed = await unclaimedPasswords(db, given.resellerId, given.email);
  const customer = await findSigningCustomer(db, given.resellerId, given.email);
  const stored = unclaimed ?? customer;
  const by = await opensEvenly(stored, given.password, ctx.wall.now(), origin);
  if (!by) throw notSignedIn();
  await resetGuesses(ctx, login, origin);
  if (unclaimed || !customer) {
    await claimByMail(ctx, from, given, stored!, by);
    return 'mailed';
  }
  return { ...(await openCustomer(ctx, from, customer, given, by)), login };
}

async function openCustomer(
  ctx: AppContext,
  from: Origin,
  customer: SigningCustomer,
  given: AccountSignIn,
  by: OpenedBy,
): Promise<OpenedSession> {
  // At the host of a brand only its own customers can sign in.
  if (ctx.brandHost && ctx.brandHost.resellerId !== customer.reseller_id) throw notSignedIn();
  requireLasting(given, by);
  const hash =
    given.newPassword === undefined ? undefined : await hashChosen(given.newPassword, given.email, 'newPassword', from);
  const maker = by === 'temporary' ? customer.temp_password_maker : customer.password_maker;
  return ctx.db.transaction(allTenants, async (tx) => {
    if (!(await lockVerifiedCustomer(tx, customer, by))) throw notSignedIn();
    if (hash !== undefined) {
      // Customer passwords made by a user stay valid when the user leaves; those made by a key end when it is revoked.
      const password = { hash, maker: maker?.startsWith('key_') ? maker : null };
      await saveCustomerPassword(tx, customer.reseller_id, customer.id, password);
      await revokeCustomerSessions(tx, customer.id, {}, ctx.wall.now());
    }
    const how = { isKept: given.isKept ?? false, hasNewPassword: hash !== undefined, maker };
    return beginCustomerSession(ctx, tx, from, customer, how);
  });
}

const actorOf = (from: Pick<Actor, 'address' | 'requestId'>, customer: SigningCustomer, sessionId: string): Actor => ({
  resellerId: customer.reseller_id,
  keyId: null,
  user: { id: actingCustomerId(customer.id), name: customer.name, sessionId },
  customerId: customer.id,
  address: from.address,
  requestId: from.requestId,
  scopes: scopesOfAccess(customer.access),
  isOperator: false,
});

async function beginCustomerSession(
  ctx: AppContext,
  tx: Tx,
  from: Origin,
  customer: SigningCustomer,
  how: { readonly isKept: boolean; readonly hasNewPassword: boolean; readonly maker: string | null },
): Promise<OpenedSession> {
  const { secret, fingerprint, now } = freshSecret(ctx);
  const id = ctx.ids.next('ses');
  const endsAt = new Date(now.getTime() + sessionLifetimes.member.wholeMs);
  const browser = from.browser.slice(0, userLimits.browserLength);
  const whose = { customerId: customer.id, resellerId: customer.reseller_id };
  const sudoUntil = new Date(now.getTime() + userLimits.sudoMs);
  const where = { host: brandHostOf(ctx), address: from.address, browser };
  const session = {
    id,
    ...whose,
    fingerprint,
    createdAt: now,
    endsAt,
    isKept: how.isKept,
    sudoUntil,
    maker: how.maker,
    ...where,
  };
  await insertCustomerSession(tx, session, userLimits.sessions);
  const actor = actorOf(from, customer, id);
  if (how.hasNewPassword)
    await audit(ctx, tx, actor, { action: 'customer.password', objectType: 'customer', objectId: customer.id });
  const after = { browser, access: customer.access };
  await audit(ctx, tx, actor, { action: 'session.begin', objectType: 'session', objectId: id, after });
  return { sessionId: id, userId: actingCustomerId(customer.id), customerId: customer.id, secret, endsAt };
}
