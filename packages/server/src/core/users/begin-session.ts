import type { Tx } from '@namehold/postgres';
import { type ActingUser, type Actor, type AppContext, brandHostOf } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { Refusal, sessionOver } from '../errors.ts';
import { type KnownDevice, knownFor } from './device.ts';
import type { GuessOrigin, Login } from './guessing.ts';
import { insertSession, type NewSecret, renewSession } from './session.sql.ts';
import { newSessionSecret, sessionFingerprint } from './session-secret.ts';
import { markWorkedIn, worksOnlyBelow } from './user.sql.ts';
import { type MembershipRow, sessionLifetimeOf, type User, userLimits } from './user.ts';
import type { Method } from './verify-factor.ts';

/** The origin of a sign-in. */
export interface Origin extends Pick<Actor, 'address' | 'requestId'> {
  readonly browser: string;
  /** Set if the browser has signed in before. */
  readonly device?: KnownDevice | undefined;
}

export const guessOrigin = (ctx: AppContext, from: Origin, login: Login): GuessOrigin => ({
  address: from.address,
  known: knownFor(ctx.vault, from.device, login),
});

/** An open session, with the secret that is only in its cookie. */
export interface OpenedSession {
  readonly sessionId: string;
  readonly userId: string;
  /** Set if a customer signed in. */
  readonly customerId?: string | undefined;
  readonly secret: string;
  readonly endsAt: Date;
  /** The password that was verified, or that is not required: the browser becomes known for it. */
  readonly login?: Login;
  /** Set: the session only allows two-factor authentication, by one of these. */
  readonly methods?: readonly Method[];
}

export function freshSecret(ctx: AppContext): NewSecret & { readonly secret: string } {
  const secret = newSessionSecret(ctx.vault);
  return { secret, fingerprint: sessionFingerprint(ctx.vault, secret), now: ctx.wall.now() };
}

export const actorIn = (
  from: Pick<Actor, 'address' | 'requestId'>,
  account: MembershipRow,
  user: Pick<User, 'id' | 'name'>,
  sessionId: string,
): Actor => ({
  resellerId: account.reseller_id,
  keyId: null,
  user: { id: user.id, name: user.name, sessionId },
  address: from.address,
  requestId: from.requestId,
  scopes: account.scopes,
  isOperator: account.parent_id === null,
});

/**
 * An account that controls a brand's host could send its visitors elsewhere and read what they submit. Therefore users with access
 * outside that account and the accounts below it cannot sign in there.
 */
export async function refuseForeignBrandHost(
  ctx: AppContext,
  tx: Tx,
  userId: string,
  refusal: () => Refusal,
): Promise<void> {
  const { brandHost } = ctx;
  if (brandHost && !(await worksOnlyBelow(tx, userId, brandHost.resellerId))) throw refusal();
}

/** The same message as for a wrong password, so that it does not reveal whether the password was right. */
const notHere = () => new Refusal('unauthorized', 'Incorrect email or password.');

export async function beginSession(
  ctx: AppContext,
  tx: Tx,
  user: Pick<User, 'id' | 'name'>,
  account: MembershipRow,
  from: Origin,
  methods: readonly Method[] = [],
): Promise<OpenedSession> {
  await refuseForeignBrandHost(ctx, tx, user.id, notHere);
  const { secret, fingerprint, now } = freshSecret(ctx);
  const id = ctx.ids.next('ses');
  const endsAt = new Date(now.getTime() + sessionLifetimeOf(account).wholeMs);
  const isPendingTwoFactor = methods.length > 0;
  const later = (ms: number) => new Date(now.getTime() + ms);
  const browser = from.browser.slice(0, userLimits.browserLength);
  await insertSession(tx, {
    id,
    userId: user.id,
    resellerId: account.reseller_id,
    fingerprint,
    createdAt: now,
    endsAt,
    awaitsFactorUntil: isPendingTwoFactor ? later(userLimits.pendingTwoFactorTtlMs) : null,
    sudoUntil: isPendingTwoFactor ? null : later(userLimits.sudoMs),
    host: brandHostOf(ctx),
    address: from.address,
    browser,
  });
  await markWorkedIn(tx, user.id, account.reseller_id, now);
  const after = { browser, role: account.role, ...(isPendingTwoFactor ? { awaits: methods } : {}) };
  const change = { action: 'session.begin', objectType: 'session', objectId: id, after };
  await audit(ctx, tx, actorIn(from, account, user, id), change);
  return { sessionId: id, userId: user.id, secret, endsAt, ...(isPendingTwoFactor ? { methods } : {}) };
}

/** The same session with another secret, because its rights have changed. */
export async function changeSecret(
  ctx: AppContext,
  tx: Tx,
  session: ActingUser,
  account: Pick<MembershipRow, 'reseller_id' | 'parent_id'>,
): Promise<OpenedSession> {
  const { secret, ...next } = freshSecret(ctx);
  const endsBy = new Date(next.now.getTime() + sessionLifetimeOf(account).wholeMs);
  const { sessionId, secretFingerprint: by } = session;
  const endsAt = await renewSession(tx, { id: sessionId, by, resellerId: account.reseller_id, endsBy }, next);
  if (!endsAt) throw sessionOver();
  return { sessionId, userId: session.id, secret, endsAt };
}
