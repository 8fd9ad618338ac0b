import { allTenants } from '@namehold/postgres';
import { hashChosen } from '../accounts/chosen-password.ts';
import { isPasswordOf } from '../accounts/password.ts';
import type { AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, notFound, sessionOver } from '../errors.ts';
import { changeSecret, type OpenedSession } from './begin-session.ts';
import { endRecoveryCodes } from './code.sql.ts';
import { countGuess, resetGuesses, userLogin } from './guessing.ts';
import { requireUser, type UserActor } from './own-session.ts';
import { revokeSessions } from './revoke-sessions.ts';
import { listMemberships, lockUser, lockVerified, savePassword, saveUser } from './user.sql.ts';
import type { Language, User } from './user.ts';

export const readMe = (ctx: AppContext, actor: UserActor): Promise<User> => requireUser(ctx, actor);

interface MeChange {
  readonly name?: string | undefined;
  readonly language?: Language | undefined;
  readonly timeZone?: string | undefined;
}

export async function changeMe(ctx: AppContext, actor: UserActor, change: MeChange): Promise<User> {
  if (change.timeZone !== undefined && !isTimeZone(change.timeZone))
    throw badField('timeZone', 'Must be an IANA time zone, such as Asia/Jakarta.');
  return ctx.db.transaction(allTenants, async (tx) => {
    const before = await lockUser(tx, actor.user.id);
    if (!before) throw notFound('person');
    const after = await saveUser(tx, before.id, {
      name: change.name ?? before.name,
      language: change.language ?? before.language,
      time_zone: change.timeZone ?? before.time_zone,
    });
    const { password_hash: _, ...was } = before;
    await audit(ctx, tx, actor, {
      action: 'person.change',
      objectType: 'person',
      objectId: before.id,
      before: was,
      after,
    });
    return after;
  });
}

function isTimeZone(text: string): boolean {
  try {
    // Offsets such as +07:00 pass as well, but have no daylight saving time: a zone name is required.
    return /^[A-Za-z]/.test(text) && new Intl.DateTimeFormat('en', { timeZone: text }) !== undefined;
  } catch {
    return false;
  }
}

const wrongPassword = () => badField('password', 'The current password is incorrect.', 'wrong');

/** Ends every other session: users of the old password are signed out. */
export async function changePassword(
  ctx: AppContext,
  actor: UserActor,
  order: { readonly password: string; readonly newPassword: string },
): Promise<OpenedSession> {
  const user = await requireUser(ctx, actor);
  const login = userLogin(user.email);
  const from = { address: actor.address, known: actor.user.sessionId };
  await countGuess(ctx, login, from);
  if (!(await isPasswordOf(user.password_hash, order.password, actor))) throw wrongPassword();
  await resetGuesses(ctx, login, from);
  const hash = await hashChosen(order.newPassword, user.email, 'newPassword', actor);
  return ctx.db.transaction(allTenants, async (tx) => {
    const account = (await listMemberships(tx, user.id)).find((each) => each.reseller_id === actor.resellerId);
    if (!account) throw sessionOver();
    if (!(await lockVerified(tx, user))) throw wrongPassword();
    await savePassword(tx, user.id, hash);
    await endRecoveryCodes(tx, user.id, ctx.wall.now());
    const opened = await changeSecret(ctx, tx, actor.user, account);
    await revokeSessions(ctx, tx, user.id, { but: opened.sessionId });
    await audit(ctx, tx, actor, { action: 'person.password', objectType: 'person', objectId: user.id });
    return opened;
  });
}
