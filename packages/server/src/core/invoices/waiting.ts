import { allTenants } from '@namehold/postgres';
import { clearAlarm, raiseAlarm } from '../alarms/alarm.ts';
import type { AppContext } from '../app-context.ts';
import { invoiceLimits } from '../model/invoice.ts';
import { requeueWaitingDrafts } from './invoice.sql.ts';
import { waitingForRates } from './waiting.sql.ts';

/** An alarm while sales have no invoice because a tax rate is missing. */
export async function updateMissingRatesAlarm(ctx: AppContext, resellerId: string): Promise<void> {
  const key = `invoices:tax_rate:${resellerId}`;
  const { count, reason } = await waitingForRates(ctx.db.as(allTenants), resellerId);
  if (count === 0) return clearAlarm(ctx, key);
  await raiseAlarm(ctx, {
    key,
    severity: 'warning',
    sentence: `${count} ${count === 1 ? 'invoice' : 'invoices'} of reseller ${resellerId} cannot be issued: ${reason?.replace(/^your/, 'its')}. The reseller must add it; then they are issued`,
    facts: { reseller_id: resellerId, invoices: count },
  });
}

/** A rate may have been added, or its first day reached. */
export async function retryWaiting(ctx: AppContext): Promise<void> {
  await ctx.db.transaction(allTenants, (tx) => requeueWaitingDrafts(tx, invoiceLimits.perBatch));
}
