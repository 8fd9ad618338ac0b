import { everyTenant, formatMoney, money } from '@namehold/base';
import { audit } from '../audit/audit.ts';
import { badField } from '../errors.ts';
import { type Actor, type House, write } from '../house.ts';
import { lockBills } from '../ledger/ledger.sql.ts';
import { notify } from '../notices/notify.ts';
import {
  type DueReminder,
  dueReminders,
  findOwed,
  findReminderDays,
  insertReminders,
  isReminded,
  saveReminderDays,
} from './reminder.sql.ts';

export const reminderLimits = { days: 10, dayMax: 365, perRun: 500 };

export async function readReminderDays(house: House, actor: Actor): Promise<readonly number[]> {
  return findReminderDays(house.db.as(actor.resellerId), actor.resellerId);
}

/** On which days after the due date customers are reminded; none: never. */
export async function setReminderDays(house: House, actor: Actor, sent: readonly number[]): Promise<readonly number[]> {
  const days = [...new Set(sent)].sort((a, b) => a - b);
  const { dayMax } = reminderLimits;
  if (days.length > reminderLimits.days)
    throw badField('days', `Must have at most ${reminderLimits.days} days.`, 'too_many');
  if (days.some((day) => !Number.isInteger(day) || day < 1 || day > dayMax))
    throw badField('days', `Must be whole numbers from 1 to ${dayMax}.`);
  return write(house, actor, async (tx) => {
    const before = await findReminderDays(tx, actor.resellerId);
    await saveReminderDays(tx, actor.resellerId, days, house.clock.now());
    await audit(house, tx, actor, {
      action: 'invoices.reminders',
      objectType: 'reseller',
      objectId: actor.resellerId,
      before: { days: before },
      after: { days },
    });
    return days;
  });
}

/** Customers whose invoices are overdue hear of it, until they are paid or credited. Of several days that were missed only the last is told. */
export async function remindOfInvoices(house: House): Promise<void> {
  const today = house.clock.now().toISOString().slice(0, 10);
  for (const due of await dueReminders(house.db.as(everyTenant), today, reminderLimits.perRun))
    await remind(house, due);
}

async function remind(house: House, due: DueReminder): Promise<void> {
  const last = due.days.at(-1)!;
  await house.db.transaction(everyTenant, async (tx) => {
    await lockBills(tx, due.reseller_id, due.customer_id, [due.bill_id]);
    const owed = await findOwed(tx, due);
    // Behind the lock on its bill: paid, credited or told by another meanwhile.
    if (!owed || (await isReminded(tx, due.invoice_id, last))) return;
    const amount = money(BigInt(owed.amount), owed.currency);
    const noticeId = await notify(house, tx, {
      kind: 'invoice_reminder',
      resellerId: due.reseller_id,
      to: { name: owed.name, email: owed.email, country_code: owed.country_code },
      ...(owed.domain_id === null ? {} : { domainId: owed.domain_id }),
      facts: {
        invoice: due.number,
        what: owed.description,
        amount: `${formatMoney(amount)} ${amount.currency}`,
        due_on: new Date(`${due.due_on}T00:00:00Z`),
        reference: owed.reference,
      },
    });
    const told = { days: last, noticeId: noticeId ?? null };
    await insertReminders(tx, due.invoice_id, due.days, house.clock.now(), told);
  });
}
