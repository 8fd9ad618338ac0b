import { type Actor, type AppContext, writeAsService } from '../app-context.ts';
import { setResellerStatus } from './account.sql.ts';
import type { Reseller, ResellerStatus } from './account.ts';
import { auditBoth } from './audit-both.ts';
import { lockOwnChild } from './own-child.ts';

/** Every key and session of the account and of all accounts below it gets 403 within seconds. Domains and zones continue to work. */
export async function suspendReseller(ctx: AppContext, actor: Actor, id: string, reason?: string): Promise<Reseller> {
  return setStatus(ctx, actor, id, 'Suspended', reason);
}

export async function setStatus(
  ctx: AppContext,
  actor: Actor,
  id: string,
  status: ResellerStatus,
  reason?: string,
): Promise<Reseller> {
  return writeAsService(ctx, actor, async (tx) => {
    const before = await lockOwnChild(tx, actor, id, status === 'Suspended' ? 'suspend' : 'activate');
    const after = await setResellerStatus(tx, id, status);
    await auditBoth(ctx, tx, actor, id, {
      action: status === 'Suspended' ? 'reseller.suspend' : 'reseller.activate',
      objectType: 'reseller',
      objectId: id,
      before: { status: before.status },
      after: { status: after.status, reason: reason ?? null },
    });
    return after;
  });
}
