import { allTenants } from '@namehold/postgres';
import { type AppContext, brandHostOf } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { Refusal, sessionOver } from '../errors.ts';
import type { PasskeyAnswer } from '../ports/passkey-verifier.ts';
import { beginSession, changeSecret, guessOrigin, type OpenedSession, type Origin } from './begin-session.ts';
import { findPasskeyByCredential, readFactors } from './factor.sql.ts';
import { userLogin } from './guessing.ts';
import { requireUser, type UserActor } from './own-session.ts';
import { proveSession } from './session.sql.ts';
import { listMemberships, lockUser, lockVerified, type UserWithPassword } from './user.sql.ts';
import { userLimits } from './user.ts';
import {
  type Method,
  type Proof,
  secondFactorMethods,
  sudoMethods,
  usePasskey,
  verifyFactor,
} from './verify-factor.ts';

/** Guesses in a session after two-factor authentication are counted for that session. */
const originIn = ({ address, user }: UserActor) => ({ address, known: user.sessionId, isBrowser: false });

/** Completes the two-factor authentication of a session, which then gets another secret. */
export async function finishSignIn(
  ctx: AppContext,
  actor: UserActor,
  from: Origin,
  proof: Proof,
): Promise<OpenedSession> {
  const user = await requireUser(ctx, actor);
  const has = await readFactors(ctx.db.as(allTenants), user.id, brandHostOf(ctx));
  const login = userLogin(user.email);
  // Counted by user, not by session: with the password any number of such sessions can be started.
  const origin = { ...guessOrigin(ctx, from, login), isBrowser: true };
  const method = await verifyFactor(ctx, origin, user, proof, secondFactorMethods(has));
  return { ...(await proven(ctx, actor, user, 'session.factor', method)), login };
}

/** Confirms the user's identity again for sensitive calls. */
export async function proveAgain(ctx: AppContext, actor: UserActor, proof: Proof): Promise<OpenedSession> {
  const user = await requireUser(ctx, actor);
  const has = await readFactors(ctx.db.as(allTenants), user.id, brandHostOf(ctx));
  const method = await verifyFactor(ctx, originIn(actor), user, proof, sudoMethods(has));
  return proven(ctx, actor, user, 'session.sudo', method);
}

async function proven(
  ctx: AppContext,
  actor: UserActor,
  user: UserWithPassword,
  action: string,
  method: Method,
): Promise<OpenedSession> {
  const { id: userId, sessionId } = actor.user;
  return ctx.db.transaction(allTenants, async (tx) => {
    if (method === 'password' && !(await lockVerified(tx, user))) throw sessionOver();
    const account = (await listMemberships(tx, userId)).find((each) => each.reseller_id === actor.resellerId);
    if (!account) throw sessionOver();
    const sudoUntil = new Date(ctx.wall.now().getTime() + userLimits.sudoMs);
    if (!(await proveSession(tx, sessionId, sudoUntil))) throw sessionOver();
    const change = { action, objectType: 'session', objectId: sessionId, after: { method } };
    await audit(ctx, tx, actor, change);
    return changeSecret(ctx, tx, actor.user, account);
  });
}

/** A passkey is both factors: a device, unlocked by knowledge or biometrics. No address is named, so no user can be locked out. */
export async function signInByPasskey(ctx: AppContext, from: Origin, answer: PasskeyAnswer): Promise<OpenedSession> {
  const refused = () => new Refusal('unauthorized', 'This passkey is not recognised.');
  const used = await usePasskey(ctx, answer, null);
  if (!used) throw refused();
  return ctx.db.transaction(allTenants, async (tx) => {
    const user = await lockUser(tx, used.person_id);
    // It may have been removed since it was verified; the removal ended only the sessions that were open then.
    const isStillThere = (await findPasskeyByCredential(tx, used.credential_id))?.id === used.id;
    const [account] = user ? await listMemberships(tx, user.id) : [];
    if (!user || user.disabled_at || !isStillThere || !account) throw refused();
    return { ...(await beginSession(ctx, tx, user, account, from)), login: userLogin(user.email) };
  });
}
