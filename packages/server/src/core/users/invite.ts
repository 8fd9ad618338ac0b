import { allTenants, type Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, notFound } from '../errors.ts';
import { findPrincipal } from '../keys/principal.sql.ts';
import { newSecret } from '../keys/secret.ts';
import { readEmail } from '../reference/email.ts';
import { ValueProblem } from '../reference/value-problem.ts';
import { endCodes, endInvitation, endRecoveryCodes, insertCode, listInvitations, type UserCode } from './code.sql.ts';
import { deleteFactors } from './factor.sql.ts';
import { countInvitation } from './guessing.ts';
import { mailCode } from './mail-code.ts';
import { countMembers, lockAccount } from './member.sql.ts';
import { refusePrivilegeEscalation } from './privilege-limits.ts';
import { findUserByEmail } from './user.sql.ts';
import { type Role, scopesOf, userLimits } from './user.ts';

export interface MadeCode {
  readonly code: string;
  readonly row: UserCode;
  readonly email: string;
  readonly expiresAt: Date;
}

interface NewMember {
  readonly email: string;
  readonly role: Role;
  readonly scopes?: readonly string[] | undefined;
}

/** Null: it is only in the mail. */
export const shownCode = ({ code, row }: Pick<MadeCode, 'code' | 'row'>): string | null =>
  row.is_mailed ? null : code;

/** A code that makes its recipient a member of the actor's account. An existing user also needs the own password. */
export async function inviteUser(ctx: AppContext, actor: Actor, member: NewMember): Promise<MadeCode> {
  const email = checkedEmail(member.email);
  const scopes = scopesOf(member.role, member.scopes);
  const { row, secret } = draftCode(ctx, { purpose: 'invite', email, person_id: null });
  const { resellerId } = actor;
  // The operator vouches for the address and passes the code on; the code of a user's invitation is only in the mail.
  const isMailed = ctx.mailer !== undefined && actor.user !== undefined;
  if (isMailed) await countInvitation(ctx, resellerId, email);
  const invited = await ctx.db.transaction(allTenants, async (tx) => {
    if (!(await lockAccount(tx, resellerId))) throw badField('reseller', 'Reseller not found.', 'not_found');
    await refusePrivilegeEscalation(tx, actor, scopes);
    await endCodes(tx, { email, resellerId }, row.created_at);
    await refuseMany(tx, resellerId, row.created_at);
    const made = {
      hand: await findPrincipal(tx, actor),
      made_by: actor.user?.id ?? null,
      made_in: actor.user?.sessionId ?? null,
    };
    const invited = { ...row, ...made, reseller_id: resellerId, role: member.role, scopes };
    if (!isMailed) await insertCode(tx, invited, ctx.vault.fingerprint(secret));
    const stored = isMailed ? await mailCode(ctx, tx, invited, secret) : invited;
    const after = { email, role: member.role, scopes };
    await audit(ctx, tx, actor, { action: 'person.invite', objectType: 'person_code', objectId: row.id, after });
    return stored;
  });
  return { code: secret, row: invited, email, expiresAt: row.expires_at };
}

async function refuseMany(tx: Tx, resellerId: string, now: Date): Promise<void> {
  const { members, invitations } = userLimits;
  if ((await listInvitations(tx, resellerId, now)).length >= invitations)
    throw badField(
      'email',
      `An account can have at most ${invitations} open invitations. Withdraw one first.`,
      'too_many',
    );
  if ((await countMembers(tx, resellerId)) >= members)
    throw badField('email', `An account can have at most ${members} users. Remove one first.`, 'too_many');
}

export async function readInvitations(ctx: AppContext, actor: Actor): Promise<UserCode[]> {
  return listInvitations(ctx.db.as(allTenants), actor.resellerId, ctx.wall.now());
}

export async function withdrawInvitation(ctx: AppContext, actor: Actor, id: string): Promise<void> {
  await ctx.db.transaction(allTenants, async (tx) => {
    const ended = await endInvitation(tx, actor.resellerId, id, ctx.wall.now());
    if (!ended) throw notFound('invitation');
    const before = { email: ended.email, role: ended.role, scopes: ended.scopes };
    await audit(ctx, tx, actor, { action: 'person.uninvite', objectType: 'person_code', objectId: id, before });
  });
}

/** A code for a new password. Only the operator can make it: it opens every account of the user. */
export async function recoverUser(
  ctx: AppContext,
  actor: Actor,
  given: string,
  dropsFactors = false,
): Promise<MadeCode> {
  const email = checkedEmail(given);
  return ctx.db.transaction(allTenants, async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (!user) throw badField('email', 'No user has this email address.', 'not_found');
    const { row, secret } = draftCode(ctx, { purpose: 'recover', email: user.email, person_id: user.id });
    await endRecoveryCodes(tx, user.id, row.created_at);
    await insertCode(tx, row, ctx.vault.fingerprint(secret));
    if (dropsFactors) await deleteFactors(tx, user.id);
    const after = { email: user.email, ...(dropsFactors ? { factors: 'removed' } : {}) };
    await audit(ctx, tx, actor, { action: 'person.recover', objectType: 'person', objectId: user.id, after });
    return { code: secret, row, email: user.email, expiresAt: row.expires_at };
  });
}

/** A code and its row, not stored yet. */
export function draftCode(
  ctx: AppContext,
  about: Pick<UserCode, 'purpose' | 'email' | 'person_id'>,
  ttlMs = userLimits.codeTtlMs,
): { row: UserCode; secret: string } {
  const now = ctx.wall.now();
  const row = {
    ...about,
    id: ctx.ids.next('code'),
    reseller_id: null,
    role: null,
    scopes: null,
    hand: null,
    made_by: null,
    made_in: null,
    is_mailed: false,
    claims: false,
    created_at: now,
    expires_at: new Date(now.getTime() + ttlMs),
  };
  return { row, secret: newSecret(ctx.vault).secret };
}

function checkedEmail(text: string): string {
  try {
    return readEmail(text.trim());
  } catch (error) {
    if (error instanceof ValueProblem) throw badField('email', error.message, error.code);
    throw error;
  }
}
