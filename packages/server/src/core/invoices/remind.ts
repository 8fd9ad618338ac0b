import { money } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import { type Actor, type AppContext, write } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField } from '../errors.ts';
import { lockBills } from '../ledger/ledger.sql.ts';
import { amountFact } from '../notices/kinds.ts';
import { notify } from '../notices/notify.ts';
import {
  type DueReminder,
  dueReminders,
  findReminderDays,
  findUnpaid,
  insertReminders,
  isReminded,
  saveReminderDays,
} from './reminder.sql.ts';

export const reminderLimits = { days: 10, dayMax: 365, perRun: 500 };

export async function readReminderDays(ctx: AppContext, actor: Actor): Promise<readonly number[]> {
  return findReminderDays(ctx.db.as(actor.resellerId), actor.resellerId);
}

/** Days after the due date on which customers are reminded; none: never. */
export async function setReminderDays(
  ctx: AppContext,
  actor: Actor,
  sent: readonly number[],
): Promise<readonly number[]> {
  const days = [...new Set(sent)].sort((a, b) => a - b);
  const { dayMax } = reminderLimits;
  if (days.length > reminderLimits.days)
    throw badField('days', `Must have at most ${reminderLimits.days} days.`, 'too_many');
  if (days.some((day) => !Number.isInteger(day) || day < 1 || day > dayMax))
    throw badField('days', `Must be whole numbers from 1 to ${dayMax}.`);
  return write(ctx, actor, async (tx) => {
    const before = await findReminderDays(tx, actor.resellerId);
    await saveReminderDays(tx, actor.resellerId, days, ctx.clock.now());
    await audit(ctx, tx, actor, {
      action: 'invoices.reminders',
      objectType: 'reseller',
      objectId: actor.resellerId,
      before: { days: before },
      after: { days },
    });
    return days;
  });
}

/** Reminds customers of overdue invoices until they are paid or credited. Of several missed days only the last is sent. */
export async function remindOfInvoices(ctx: AppContext): Promise<void> {
  const today = ctx.clock.now().toISOString().slice(0, 10);
  for (const due of await dueReminders(ctx.db.as(allTenants), today, reminderLimits.perRun)) await remind(ctx, due);
}

async function remind(ctx: AppContext, due: DueReminder): Promise<void> {
  const last = due.days.at(-1)!;
  await ctx.db.transaction(allTenants, async (tx) => {
    await lockBills(tx, due.reseller_id, due.customer_id, [due.bill_id]);
    const owed = await findUnpaid(tx, due);
    // Checked after the lock on its bill: it may be paid, credited or reminded by another process in the meantime.
    if (!owed || (await isReminded(tx, due.invoice_id, last))) return;
    const amount = money(BigInt(owed.amount), owed.currency);
    const noticeId = await notify(ctx, tx, {
      kind: 'invoice_reminder',
      resellerId: due.reseller_id,
      to: { name: owed.name, email: owed.email, country_code: owed.country_code },
      ...(owed.domain_id === null ? {} : { domainId: owed.domain_id }),
      facts: {
        invoice: due.number,
        what: owed.description,
        amount: amountFact(amount),
        due_on: new Date(`${due.due_on}T00:00:00Z`),
        reference: owed.reference,
      },
    });
    const reminder = { days: last, noticeId: noticeId ?? null };
    await insertReminders(tx, due.invoice_id, due.days, ctx.clock.now(), reminder);
  });
}
