import { allTenants, type Tx } from '@namehold/postgres';
import { isEasy } from '../accounts/chosen-password.ts';
import { type OpenedBy, opensEvenly, type StoredPasswords } from '../accounts/password.ts';
import type { ActingUser, Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, Refusal } from '../errors.ts';
import { notifyAccessChange } from '../notices/notify-recipients.ts';
import { asciiAddress } from '../reference/email.ts';
import { actorIn, type Origin } from './begin-session.ts';
import {
  findTemporaryPrincipal,
  lockUnclaimed,
  unclaimedPasswords,
  useTemporaryPassword,
} from './claim-account.sql.ts';
import { endCodes } from './code.sql.ts';
import { accountLogin, countGuess, countInvitation, resetGuesses } from './guessing.ts';
import { draftCode } from './invite.ts';
import { mailCode } from './mail-code.ts';
import { notSignedIn } from './sign-in.ts';
import { listMemberships, putMembership } from './user.sql.ts';
import { type MembershipRow, type User, userLimits } from './user.ts';

type Signed = Actor & { readonly user: ActingUser };

interface Claim {
  readonly resellerId: string;
  readonly email: string;
  readonly password: string;
  readonly newPassword?: string | undefined;
}

/**
 * The first sign-in of an account with its own email address and password, or its temporary one. The password has been verified. No user
 * is created yet: a code goes to the mailbox of the account, and the first owner redeems it and chooses a password. A user with this
 * address redeems it with the own password, or adds the account while signed in (`claimForMember`). Both get the same answer, so that it
 * does not reveal which addresses sign in.
 */
export async function claimByMail(
  ctx: AppContext,
  from: Origin,
  claim: Claim,
  verified: StoredPasswords,
  by: OpenedBy,
): Promise<void> {
  const { resellerId } = claim;
  const email = asciiAddress(claim.email);
  if (!ctx.mailer)
    throw new Refusal(
      'conflict',
      'This service sends no email, so the email address of the account cannot be confirmed. Request an invitation from your provider.',
    );
  await countInvitation(ctx, resellerId, email);
  const { row, secret } = draftCode(ctx, { purpose: 'invite', email, person_id: null }, userLimits.mailedCodeTtlMs);
  await ctx.db.transaction(allTenants, async (tx) => {
    // Of two concurrent sign-ins the second ends the link of the first.
    if (!(await lockUnclaimed(tx, claim, verified, by))) throw notSignedIn();
    await endCodes(tx, { email, resellerId }, row.created_at);
    const principal = by === 'temporary' ? await findTemporaryPrincipal(tx, resellerId) : null;
    const owner = { role: 'owner', scopes: ['full'], claims: true } as const;
    await mailCode(
      ctx,
      tx,
      { ...row, ...owner, scopes: [...owner.scopes], reseller_id: resellerId, hand: principal },
      secret,
    );
    const actor = { ...from, resellerId, keyId: null, scopes: [], isOperator: false };
    const after = { email, role: 'owner' };
    await audit(ctx, tx, actor, { action: 'person.invite', objectType: 'person_code', objectId: row.id, after });
  });
}

/** For a signed-in user with the address of the account. */
export async function claimForMember(ctx: AppContext, actor: Signed, user: User, claim: Claim): Promise<void> {
  const { stored, by } = await requireAccountPassword(ctx, actor, claim);
  await ctx.db.transaction(allTenants, async (tx) => {
    // Of two concurrent claims the second finds an owner.
    if (!(await lockUnclaimed(tx, claim, stored, by))) throw notSignedIn();
    await makeOwner(ctx, tx, actor, user, claim.resellerId, by);
  });
}

/** A temporary or easily guessed password must be replaced in the same call. */
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
  ctx: AppContext,
  actor: Signed,
  { resellerId, email, password }: Claim,
): Promise<{ stored: StoredPasswords; by: OpenedBy }> {
  const login = accountLogin(resellerId, email);
  const from = { address: actor.address, known: actor.user.sessionId };
  await countGuess(ctx, login, from);
  const stored = await unclaimedPasswords(ctx.db.as(allTenants), resellerId, email);
  const by = await opensEvenly(stored, password, ctx.wall.now(), actor);
  if (!stored || !by) throw notSignedIn();
  await resetGuesses(ctx, login, from);
  return { stored, by };
}

async function makeOwner(
  ctx: AppContext,
  tx: Tx,
  from: Pick<Actor, 'address' | 'requestId'>,
  user: Pick<User, 'id' | 'name' | 'email'>,
  resellerId: string,
  by: OpenedBy,
): Promise<MembershipRow> {
  const principal = by === 'temporary' ? await useTemporaryPassword(tx, resellerId) : null;
  const role = { role: 'owner', scopes: ['full'] } as const;
  await putMembership(tx, { userId: user.id, resellerId, ...role, hand: principal, createdAt: ctx.wall.now() });
  const account = (await listMemberships(tx, user.id)).find((each) => each.reseller_id === resellerId)!;
  await notifyMemberJoined(ctx, tx, actorIn(from, account, user, ''), user, account);
  return account;
}

/** Writes it to the audit log of the account, and notifies the account. */
export async function notifyMemberJoined(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  user: Pick<User, 'id' | 'email'>,
  { role, scopes }: Pick<MembershipRow, 'role' | 'scopes'>,
): Promise<void> {
  const after = { email: user.email, role, scopes };
  await audit(ctx, tx, actor, { action: 'person.join', objectType: 'person', objectId: user.id, after });
  const what = { en: 'A user was added to the account', id: 'Seorang pengguna telah ditambahkan ke akun' };
  await notifyAccessChange(ctx, tx, actor, { resellerId: actor.resellerId, topic: 'users', what, label: user.email });
}
