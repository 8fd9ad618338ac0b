import type { Tx } from '@namehold/base';
import { appendEvent } from '../../events/append.ts';
import type { House } from '../../house.ts';
import { lifeEvent } from '../life-event.ts';
import { noteRefundOfFormer } from '../move/move.sql.ts';

/** What an earlier holder paid comes back to that one, and is told to nobody else. */
export async function tellFormer(
  house: House,
  tx: Tx,
  purchaseId: string,
  refunded: { readonly amount: string; readonly currency: string },
): Promise<void> {
  const former = await noteRefundOfFormer(tx, purchaseId, refunded);
  if (!former) return;
  const domain = { id: former.domain_id, reseller_id: former.reseller_id, name: former.name };
  await appendEvent(house, tx, lifeEvent(domain, 'domain.purchase_refunded', { transaction_id: purchaseId, refunded }));
}
