import { type Actor, type AppContext, writeAsService } from '../app-context.ts';
import { minorUnits } from '../reference/currency.ts';
import { setResellerReceipts } from './account.sql.ts';
import type { Reseller } from './account.ts';
import { auditBoth } from './audit-both.ts';
import { lockOwnChild } from './own-child.ts';

/** A figure that the parent keeps about a child; it moves no money. */
export async function setReceipts(ctx: AppContext, actor: Actor, id: string, figure: string): Promise<Reseller> {
  return writeAsService(ctx, actor, async (tx) => {
    const before = await lockOwnChild(tx, actor, id, 'set the receipts of');
    const after = await setResellerReceipts(tx, id, minorUnits('receipts', figure, before.selling_currency)!);
    await auditBoth(ctx, tx, actor, id, {
      action: 'reseller.total_receipts',
      objectType: 'reseller',
      objectId: id,
      before: { total_receipts: before.total_receipts },
      after: { total_receipts: after.total_receipts },
    });
    return after;
  });
}
