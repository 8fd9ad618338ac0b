import { allTenants, type Tx } from '@namehold/postgres';
import { refuseEasy } from '../accounts/chosen-password.ts';
import { hashPassword, isPasswordOf } from '../accounts/password.ts';
import { type AppContext, brandHostOf } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { Refusal } from '../errors.ts';
import { actorIn, beginSession, guessOrigin, type OpenedSession, type Origin } from './begin-session.ts';
import { lockWithoutOwner, useTemporaryPassword } from './claim-account.sql.ts';
import { notifyMemberJoined } from './claim-account.ts';
import { countCodeMiss, endRecoveryCodes, findOpenCode, type UserCode, useCode } from './code.sql.ts';
import { readFactors } from './factor.sql.ts';
import { countGuess, resetGuesses, userLogin } from './guessing.ts';
import { findMember, lockAccount } from './member.sql.ts';
import { roleChanged } from './members.ts';
import { revokeSessions } from './revoke-sessions.ts';
import {
  findUser,
  findUserByEmail,
  insertUser,
  listMemberships,
  lockVerified,
  putMembership,
  savePassword,
  type UserWithPassword,
} from './user.sql.ts';
import { userLimits } from './user.ts';
import { pendingTwoFactor } from './verify-factor.ts';

interface Redemption {
  readonly code: string;
  readonly password: string;
  readonly name?: string | undefined;
}

/** The same message for a used, ended or unknown code and for a wrong password. */
const refused = () => new Refusal('unauthorized', 'The code or the password is incorrect.');

/**
 * Signs in with a code, once. An invitation creates a user with the given password. An existing user must enter the own password, so
 * that the inviter cannot sign in as that user. A recovery sets a new password and ends every session.
 */
export async function redeemCode(ctx: AppContext, from: Origin, given: Redemption): Promise<OpenedSession> {
  const db = ctx.db.as(allTenants);
  const code = await findOpenCode(db, ctx.vault.fingerprint(given.code), ctx.wall.now());
  if (!code) throw refused();
  const isInvitation = code.purpose === 'invite';
  const known = await (isInvitation ? findUserByEmail(db, code.email) : findUser(db, code.person_id!));
  const keepsPassword = isInvitation && known !== undefined;
  // A rejected new password does not count as a guess of the code.
  if (!keepsPassword) refuseEasy(given.password, known?.email ?? code.email, 'password');
  if (isInvitation && !known) refuseUnproven(code);
  if (!(await ctx.db.transaction(allTenants, (tx) => countCodeMiss(tx, code.id)))) throw refused();
  if (known?.disabled_at || (!isInvitation && !known)) throw refused();
  if (keepsPassword) await requirePassword(ctx, from, known, given.password);
  const hash = keepsPassword ? known.password_hash : await hashPassword(given.password, from);
  return ctx.db.transaction(allTenants, async (tx) => {
    if (known && !(await lockVerified(tx, known))) throw refused();
    if (!(await useCode(tx, code.id, ctx.wall.now()))) throw refused();
    const opened = isInvitation
      ? await join(ctx, tx, from, code, known, given, hash)
      : await recover(ctx, tx, from, known!, hash);
    return { ...opened, login: userLogin(known?.email ?? code.email) };
  });
}

/** A user is created only with a proven mailbox: by a mailed code, or vouched for by the operator. */
function refuseUnproven({ is_mailed, made_by }: UserCode): void {
  if (is_mailed || made_by === null) return;
  throw new Refusal(
    'conflict',
    'This invitation was not sent by email, so it cannot create a new user. Request another invitation from your provider.',
  );
}

/**
 * Counts as a guess of the user's password, as at sign-in: anyone may send invitations to an address, and would get new tries with each.
 */
async function requirePassword(
  ctx: AppContext,
  from: Origin,
  { email, password_hash }: UserWithPassword,
  password: string,
): Promise<void> {
  const login = userLogin(email);
  const origin = guessOrigin(ctx, from, login);
  await countGuess(ctx, login, origin);
  if (!(await isPasswordOf(password_hash, password, origin))) throw refused();
  await resetGuesses(ctx, login, origin);
}

async function join(
  ctx: AppContext,
  tx: Tx,
  from: Origin,
  code: UserCode,
  known: UserWithPassword | undefined,
  given: Redemption,
  hash: string,
): Promise<OpenedSession> {
  const now = ctx.wall.now();
  const name = (given.name ?? code.email).slice(0, userLimits.nameLength);
  const user = known ?? { id: ctx.ids.next('per'), email: code.email, name, password_hash: hash, created_at: now };
  // Another user with this address was created in the meantime.
  if (!known && !(await insertUser(tx, user))) throw refused();
  const member = {
    userId: user.id,
    resellerId: code.reseller_id!,
    role: code.role!,
    scopes: code.scopes!,
    hand: code.hand,
  };
  if (code.claims && !(await lockWithoutOwner(tx, member.resellerId))) throw refused();
  await lockAccount(tx, member.resellerId);
  const before = await findMember(tx, member.resellerId, user.id);
  await putMembership(tx, { ...member, createdAt: now });
  if (before) await roleChanged(ctx, tx, before);
  if (code.claims) await useTemporaryPassword(tx, member.resellerId);
  const account = (await listMemberships(tx, user.id)).find((each) => each.reseller_id === code.reseller_id);
  if (!account) throw refused();
  const methods = known ? pendingTwoFactor(await readFactors(tx, known.id, brandHostOf(ctx))) : [];
  const opened = await beginSession(ctx, tx, user, account, from, methods);
  await notifyMemberJoined(ctx, tx, actorIn(from, account, user, opened.sessionId), user, account);
  return opened;
}

async function recover(
  ctx: AppContext,
  tx: Tx,
  from: Origin,
  user: UserWithPassword,
  hash: string,
): Promise<OpenedSession> {
  const [account] = await listMemberships(tx, user.id);
  if (!account) throw refused();
  await savePassword(tx, user.id, hash);
  await endRecoveryCodes(tx, user.id, ctx.wall.now());
  await revokeSessions(ctx, tx, user.id, {});
  const methods = pendingTwoFactor(await readFactors(tx, user.id, brandHostOf(ctx)));
  const opened = await beginSession(ctx, tx, user, account, from, methods);
  const actor = actorIn(from, account, user, opened.sessionId);
  await audit(ctx, tx, actor, { action: 'person.password', objectType: 'person', objectId: user.id });
  return opened;
}
