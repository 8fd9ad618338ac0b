import { everyTenant } from '@namehold/base';
import { clearAlarm, raiseAlarm } from '../alarms/alarm.ts';
import type { House } from '../house.ts';
import { askForWaiting } from './invoice.sql.ts';
import { invoiceLimits } from './invoice.ts';
import { waitingForRates } from './waiting.sql.ts';

/** An alarm as long as sold things have no invoice for want of a rate. */
export async function tellOfMissingRates(house: House, resellerId: string): Promise<void> {
  const key = `invoices:tax_rate:${resellerId}`;
  const { count, reason } = await waitingForRates(house.db.as(everyTenant), resellerId);
  if (count === 0) return clearAlarm(house, key);
  await raiseAlarm(house, {
    key,
    severity: 'warning',
    sentence: `${count} ${count === 1 ? 'invoice' : 'invoices'} of reseller ${resellerId} cannot be issued: ${reason?.replace(/^your/, 'its')}. They are issued when it is there.`,
    facts: { reseller_id: resellerId, invoices: count },
  });
}

/** A rate may have come, or its first day. */
export async function askAgain(house: House): Promise<void> {
  await house.db.transaction(everyTenant, (tx) => askForWaiting(tx, invoiceLimits.perTurn));
}
