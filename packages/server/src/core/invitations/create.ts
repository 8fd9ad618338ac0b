import { findReseller } from '../accounts/account.sql.ts';
import { auditBoth } from '../accounts/audit-both.ts';
import { lockOwnChild } from '../accounts/own-child.ts';
import { type Actor, type AppContext, actingId, write } from '../app-context.ts';
import { notFound, Refusal } from '../errors.ts';
import { newSecret } from '../keys/secret.ts';
import { countOpen, insertInvitation, listInvitations } from './invitation.sql.ts';
import { type Invitation, invitationLimits } from './invitation.ts';

/** For a direct child. The secret alone does not give access: the child's password is required too. */
export async function createInvitation(
  ctx: AppContext,
  actor: Actor,
  resellerId: string,
): Promise<Invitation & { token: string }> {
  return write(ctx, actor, async (tx) => {
    await lockOwnChild(tx, actor, resellerId, 'invite');
    const now = ctx.wall.now();
    if ((await countOpen(tx, resellerId, now)) >= invitationLimits.openPerReseller)
      throw new Refusal(
        'conflict',
        `${invitationLimits.openPerReseller} invitations are open. Wait until one expires.`,
      );
    const { secret: token } = newSecret(ctx.vault);
    const made = await insertInvitation(tx, {
      id: ctx.ids.next('inv'),
      reseller_id: resellerId,
      parent_id: actor.resellerId,
      fingerprint: ctx.vault.fingerprint(token),
      maker: actingId(actor),
      created_at: now,
      expires_at: new Date(now.getTime() + invitationLimits.ttlMs),
    });
    const change = { action: 'invitation.create', objectType: 'invitation', objectId: made.id, after: made };
    await auditBoth(ctx, tx, actor, resellerId, change);
    return { ...made, token };
  });
}

export async function readInvitations(ctx: AppContext, actor: Actor, resellerId: string): Promise<Invitation[]> {
  const db = ctx.db.as(actor.resellerId);
  if (!(await findReseller(db, actor.resellerId, resellerId))) throw notFound('reseller');
  return listInvitations(db, actor.resellerId, resellerId);
}
