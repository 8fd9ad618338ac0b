import { formatMoney, money } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../../app-context.ts';
import { appendEvent } from '../../events/append.ts';
import { lifeEvent } from '../../events/life-event.ts';
import { refundsOfDeleted } from '../../ledger/ledger.sql.ts';
import { noteRefundOfFormer } from '../move/move.sql.ts';

/** A former reseller gets the refund of what it paid, and only that reseller is notified. If its account is deleted, its parent is. */
export async function notifyFormerOwner(
  ctx: AppContext,
  tx: Tx,
  purchaseId: string,
  refunded: { readonly amount: string; readonly currency: string },
): Promise<void> {
  const former = await noteRefundOfFormer(tx, purchaseId, refunded);
  if (!former) return;
  const domain = { id: former.domain_id, reseller_id: former.reseller_id, name: former.name };
  await appendEvent(ctx, tx, lifeEvent(domain, 'domain.purchase_refunded', { transaction_id: purchaseId, refunded }));
  // Checked at every level, because any of its parents may be deleted too.
  for (const { id, reseller_id, parent_id, refunded: back, currency } of await refundsOfDeleted(tx, purchaseId))
    await appendEvent(ctx, tx, {
      resellerId: parent_id,
      type: 'reseller.refunded',
      objectId: reseller_id,
      payload: {
        reseller_id,
        transaction_id: id,
        refunded: { amount: formatMoney(money(BigInt(back), currency)), currency },
      },
    });
}
