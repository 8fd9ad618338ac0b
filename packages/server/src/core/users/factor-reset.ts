import { allTenants, type Tx } from '@namehold/postgres';
import { schedulerFor } from '../actors.ts';
import type { Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { notFound, Refusal } from '../errors.ts';
import { minuteText, notifyAccessChange, notifyUser } from '../notices/notify-recipients.ts';
import { deleteFactors, readFactors } from './factor.sql.ts';
import {
  deleteReset,
  type FactorReset,
  findReset,
  insertReset,
  isOnlyAccount,
  takeDueResets,
} from './factor-reset.sql.ts';
import { lockMember } from './members.ts';
import type { UserActor } from './own-session.ts';
import { revokeSessions } from './revoke-sessions.ts';
import { lockUser } from './user.sql.ts';
import { userLimits } from './user.ts';
import { hasSecondFactor } from './verify-factor.ts';

const atOnce = 100;

/**
 * Schedules the removal of a member's passkeys, authenticator and recovery codes in 24 hours. Until then the user sees it on every page,
 * is notified by mail, and can cancel it: a stolen owner session must not open the accounts of others. If the user belongs to several
 * accounts, only the operator can reset, because the factors protect those accounts too.
 */
export async function resetFactors(ctx: AppContext, actor: Actor, userId: string): Promise<FactorReset> {
  const now = ctx.wall.now();
  return ctx.db.transaction(allTenants, async (tx) => {
    const member = await lockMember(tx, actor, userId);
    if (actor.user?.id === userId) throw new Refusal('conflict', 'Remove your own two-factor authentication at /me.');
    if (!hasSecondFactor(await readFactors(tx, userId, null)))
      throw new Refusal('conflict', 'The user has no two-factor authentication to remove.');
    if (!(await isOnlyAccount(tx, userId, actor.resellerId)))
      throw new Refusal(
        'conflict',
        'The user also signs in to other accounts. Only the operator of this service can remove two-factor authentication. Contact your provider.',
      );
    const due_at = new Date(now.getTime() + userLimits.factorResetMs);
    const asked_by = actor.user?.name ?? '';
    const { resellerId: reseller_id } = actor;
    const made = { made_by: actor.user?.id ?? null, made_in: actor.user?.sessionId ?? null };
    const reset = { person_id: userId, reseller_id, asked_by, created_at: now, due_at, ...made };
    // A repeated request does not change the time and sends no second mail.
    if (!(await insertReset(tx, reset))) return (await findReset(tx, userId))!;
    const after = { email: member.email, due_at };
    await audit(ctx, tx, actor, { action: 'person.reset_factors', objectType: 'person', objectId: userId, after });
    const until = minuteText(due_at);
    const what = {
      en: `Your passkeys and authenticator will be removed on ${until}. To keep them, sign in and cancel the removal before then`,
      id: `Kunci sandi (passkey) dan autentikator Anda akan dihapus pada ${until}. Untuk mempertahankannya, masuk dan batalkan penghapusan sebelum waktu itu`,
    };
    const label = asked_by || null;
    await notifyUser(ctx, tx, actor, { to: member, what, label });
    return reset;
  });
}

/** The user cancels the removal. */
export async function keepFactors(ctx: AppContext, actor: UserActor): Promise<void> {
  const { id } = actor.user;
  await ctx.db.transaction(allTenants, async (tx) => {
    const reset = await deleteReset(tx, id);
    if (!reset) throw notFound('reset of your second factors');
    const there = { ...actor, resellerId: reset.reseller_id };
    await audit(ctx, tx, there, { action: 'person.keep_factors', objectType: 'person', objectId: id });
    const what = {
      en: 'The removal of two-factor authentication was cancelled',
      id: 'Penghapusan autentikasi dua faktor dibatalkan',
    };
    await notifyAccessChange(ctx, tx, there, {
      resellerId: reset.reseller_id,
      topic: 'users',
      what,
      label: actor.user.name,
    });
  });
}

/**
 * Applies two-factor resets that were not cancelled within 24 hours. A user who left the account, or joined another one, keeps the
 * factors.
 */
export async function carryOutResets(ctx: AppContext): Promise<void> {
  await ctx.db.transaction(allTenants, async (tx) => {
    for (const reset of await takeDueResets(tx, ctx.wall.now(), atOnce))
      if (!reset.is_over) await carryOut(ctx, tx, reset);
  });
}

async function carryOut(ctx: AppContext, tx: Tx, { person_id, reseller_id }: FactorReset): Promise<void> {
  const user = await lockUser(tx, person_id);
  if (!user || !(await isOnlyAccount(tx, person_id, reseller_id))) return;
  await deleteFactors(tx, person_id);
  await revokeSessions(ctx, tx, person_id, {});
  const actor = schedulerFor({ reseller_id }, 'factor-reset');
  await audit(ctx, tx, actor, { action: 'person.factors_removed', objectType: 'person', objectId: person_id });
  const what = {
    en: 'Two-factor authentication of a user was removed',
    id: 'Autentikasi dua faktor seorang pengguna telah dihapus',
  };
  await notifyAccessChange(ctx, tx, actor, { resellerId: reseller_id, topic: 'users', what, label: user.email });
}
