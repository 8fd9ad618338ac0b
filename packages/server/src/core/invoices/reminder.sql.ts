import { type Reader, sql, type Tx } from '@namehold/postgres';

export async function findReminderDays(db: Reader, resellerId: string): Promise<readonly number[]> {
  const row = await db.maybe<{ days: number[] }>(
    sql`select days from invoice_reminder_settings where reseller_id = ${resellerId}`,
  );
  return row?.days ?? [];
}

export async function saveReminderDays(tx: Tx, resellerId: string, days: readonly number[], now: Date): Promise<void> {
  if (days.length === 0) {
    await tx.run(sql`delete from invoice_reminder_settings where reseller_id = ${resellerId}`);
    return;
  }
  await tx.run(sql`
    insert into invoice_reminder_settings (reseller_id, days, updated_at) values (${resellerId}, ${days}::int[], ${now})
    on conflict (reseller_id) do update set days = excluded.days, updated_at = excluded.updated_at`);
}

/** An invoice with days for which no reminder was sent yet. */
export interface DueReminder {
  readonly invoice_id: string;
  readonly reseller_id: string;
  readonly customer_id: string;
  readonly bill_id: string;
  readonly number: string;
  readonly due_on: string;
  readonly days: readonly number[];
}

const open = sql.raw(`i.state = 'open' and i.kind = 'invoice' and t.status = 'unpaid'`);

/** The bill is checked too, because an invoice follows it a moment later. */
export async function dueReminders(db: Reader, today: string, limit: number): Promise<DueReminder[]> {
  return db.many<DueReminder>(sql`
    select i.id as invoice_id, i.reseller_id, i.customer_id, i.bill_id, i.number, i.due_on, array_agg(d.days order by d.days) as days
    from invoice_reminder_settings s cross join lateral unnest(s.days) as d (days)
    join invoice i on i.reseller_id = s.reseller_id and i.due_on <= ${today}::date - d.days
    join ledger_transaction t on t.id = i.bill_id
    where ${open} and not exists (select from invoice_reminder r where r.invoice_id = i.id and r.days >= d.days)
    group by i.id order by i.due_on, i.id limit ${limit}`);
}

interface Owed {
  readonly amount: string;
  readonly currency: string;
  readonly description: string;
  readonly domain_id: string | null;
  readonly name: string;
  readonly email: string;
  readonly country_code: string;
  /** The reference of an expected payment for this bill alone. */
  readonly reference: string | null;
}

/** The present debt, with the bill locked; undefined: nothing is owed any more. */
export async function findUnpaid(tx: Tx, { invoice_id, bill_id }: DueReminder): Promise<Owed | undefined> {
  return tx.maybe<Owed>(sql`
    select t.amount - t.credited as amount, t.currency, t.description, t.domain_id, c.name, c.email, c.country_code,
      (select x.reference from expected_payment x where x.reseller_id = t.reseller_id and x.customer_id = t.customer_id and x.state = 'open'
         and x.bill_ids = array[t.id] order by x.id desc limit 1) as reference
    from invoice i join ledger_transaction t on t.id = i.bill_id join customer c on c.id = i.customer_id
    where i.id = ${invoice_id} and t.id = ${bill_id} and ${open} and c.deleted_at is null`);
}

/** Each day once: returns the days that no other process has recorded. */
export async function insertReminders(
  tx: Tx,
  invoiceId: string,
  days: readonly number[],
  now: Date,
  reminder: { readonly days: number; readonly noticeId: string | null },
): Promise<number> {
  return tx.run(sql`
    insert into invoice_reminder (invoice_id, days, told_at, notice_id)
    select ${invoiceId}, d, ${now}, case when d = ${reminder.days} then ${reminder.noticeId} end from unnest(${days}::int[]) d
    on conflict do nothing`);
}

/** Whether another process was first. */
export async function isReminded(tx: Tx, invoiceId: string, days: number): Promise<boolean> {
  const row = await tx.maybe(
    sql`select from invoice_reminder where invoice_id = ${invoiceId} and days >= ${days} limit 1`,
  );
  return row !== undefined;
}
