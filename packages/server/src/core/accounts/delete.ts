import { formatMoney, money } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import { type Actor, type AppContext, writeAsService } from '../app-context.ts';
import { Refusal } from '../errors.ts';
import { deleteResellerRow, lockResellerForDeletion, resellerInUse } from './account.sql.ts';
import type { Reseller } from './account.ts';
import { auditBoth } from './audit-both.ts';
import { lockOwnChild } from './own-child.ts';

/** An account with customers, children or money cannot be deleted; it can be suspended instead. */
export async function deleteReseller(ctx: AppContext, actor: Actor, id: string): Promise<{ id: string }> {
  return writeAsService(ctx, actor, async (tx) => {
    const before = await lockOwnChild(tx, actor, id, 'delete', lockResellerForDeletion);
    await refuseInUse(tx, actor, before);
    await deleteResellerRow(tx, id, ctx.clock.now());
    await auditBoth(ctx, tx, actor, id, {
      action: 'reseller.delete',
      objectType: 'reseller',
      objectId: id,
      before,
    });
    return { id };
  });
}

async function refuseInUse(tx: Tx, actor: Actor, child: Reseller): Promise<void> {
  const use = await resellerInUse(tx, actor.resellerId, child);
  const shown = (minor: string) =>
    `${formatMoney(money(BigInt(minor), child.selling_currency))} ${child.selling_currency}`;
  const reasons = [
    Number(use.customers) > 0 && `${use.customers} customers`,
    Number(use.resellers) > 0 && `${use.resellers} resellers below it`,
    BigInt(use.available) !== 0n && `a balance of ${shown(use.available)}`,
    BigInt(use.held) !== 0n && `${shown(use.held)} held for orders`,
  ].filter((reason) => reason !== false);
  if (reasons.length > 0)
    throw new Refusal('in_use', `The reseller still has ${reasons.join(', ')}. Remove them first.`);
}
