import { type Actor, type AppContext, writeAsService } from '../app-context.ts';
import { badField } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import { findPrincipal } from '../keys/principal.sql.ts';
import { notifyAccessChange } from '../notices/notify-recipients.ts';
import { lockReseller, setResellerPassword } from './account.sql.ts';
import { auditBoth } from './audit-both.ts';
import { newTemporaryPassword } from './password.ts';

/** For the own account or a direct child, valid for three days of wall-clock time; a second one ends the first. */
export async function issueResellerPassword(
  ctx: AppContext,
  actor: Actor,
  id: string,
): Promise<{ id: string; password: string; expiresAt: Date }> {
  const made = await newTemporaryPassword(ctx.ids, ctx.wall.now(), actor);
  return writeAsService(ctx, actor, async (tx) => {
    if (!(await lockReseller(tx, actor.resellerId, id))) throw badField('reseller', 'Reseller not found.', 'not_found');
    const principal = id === actor.resellerId ? await findPrincipal(tx, actor) : null;
    await setResellerPassword(tx, id, made, { principal, maker: actor.keyId });
    await auditBoth(ctx, tx, actor, id, {
      action: 'reseller.temp_password',
      objectType: 'reseller',
      objectId: id,
      after: { expires_at: made.expiresAt },
    });
    const what = { en: 'A temporary password was created', id: 'Kata sandi sementara telah dibuat' };
    await notifyAccessChange(ctx, tx, actor, { resellerId: id, topic: 'account_password', what, label: null });
    await appendEvent(ctx, tx, {
      resellerId: id,
      type: 'account.temp_password_made',
      objectId: id,
      requestId: actor.requestId,
      payload: { reseller_id: id, expires_at: made.expiresAt, by_parent: id !== actor.resellerId },
    });
    return { id, password: made.password, expiresAt: made.expiresAt };
  });
}
