import { type Reader, type Sql, sql, Table, type Tx } from '@namehold/postgres';
import type { Invoice, InvoiceKind, InvoiceState } from '../model/invoice.ts';
import { pageOfNewest } from '../page.sql.ts';
import type { Listed, Page } from '../page.ts';

export const invoiceTable = new Table<Invoice>('invoice', {
  id: 'text',
  kind: 'text',
  reseller_id: 'bigint',
  customer_id: 'bigint?',
  child_id: 'bigint?',
  state: 'text',
  series: 'text?',
  place: 'bigint?',
  number: 'text?',
  issued_at: 'timestamptz?',
  issued_on: 'date?',
  due_on: 'date?',
  settled_at: 'timestamptz?',
  bill_id: 'bigint?',
  period: 'date?',
  corrects_id: 'text?',
  reason: 'text?',
  waits_for: 'text?',
  currency: 'text',
  net: 'bigint',
  tax: 'bigint',
  total: 'bigint',
  paid: 'bigint',
  credited: 'bigint',
  seller: 'jsonb',
  buyer: 'jsonb',
  lines: 'jsonb',
  taxes: 'jsonb',
  created_at: 'timestamptz',
});
const { columns } = invoiceTable;

/** A bill of a customer, or a charge to a sub-reseller, whose documents must be updated. */
export type Due = Omit<DueBill, 'customer_id'> & { readonly customer_id: string | null };

/** A bill whose documents must be updated. */
export interface DueBill {
  readonly bill_id: string;
  readonly reseller_id: string;
  readonly customer_id: string;
  readonly status: string;
  readonly purchase_status: string;
  readonly amount: string;
  readonly captured: string;
  readonly credited: string;
  readonly refunded: string;
  readonly currency: string;
  readonly description: string;
  readonly domain_id: string | null;
  readonly domain_name: string | null;
  readonly settled_at: Date | null;
  /** When the purchase was completed. */
  readonly sold_at: Date | null;
}

const billColumns = sql.raw(
  `bill_id, reseller_id, customer_id, status, purchase_status, amount, captured, credited, refunded, currency, description, domain_id, domain_name,
   settled_at, sold_at`,
);

/** The next ones, locked in the lock order of payments; rows that another transaction holds are left for later. */
export async function takeDueBills(tx: Tx, after: string, limit: number): Promise<Due[]> {
  return tx.many<Due>(sql`select ${billColumns} from invoice_take(${after}, ${limit})`);
}

/** One bill of a seller, locked with its purchase. */
export async function lockBill(tx: Tx, resellerId: string, billId: string): Promise<DueBill> {
  return tx.one<DueBill>(sql`select ${billColumns} from invoice_bill(${resellerId}, ${billId})`);
}

/** Marks as handled; a row added after this transaction began has another id. */
export async function deleteDue(tx: Tx, billIds: readonly string[]): Promise<void> {
  await tx.run(sql`delete from invoice_due where bill_id = any(${billIds}::bigint[])`);
}

/** Drafts that waited for a rate are checked again. */
export async function requeueWaitingDrafts(tx: Tx, limit: number): Promise<number> {
  return tx.run(sql`
    insert into invoice_due (bill_id) select bill_id from invoice where state = 'draft' and waits_for = 'tax_rate' and bill_id is not null
    order by id limit ${limit}`);
}

export async function documentsOfBills(tx: Tx, billIds: readonly string[]): Promise<Invoice[]> {
  return tx.many<Invoice>(sql`select ${columns} from invoice where bill_id = any(${billIds}::bigint[]) order by id`);
}

export async function correctionsOf(tx: Tx, invoiceId: string): Promise<Invoice[]> {
  return tx.many<Invoice>(sql`select ${columns} from invoice where corrects_id = ${invoiceId} order by id`);
}

export async function insertInvoice(tx: Tx, row: Omit<Invoice, 'total'>): Promise<void> {
  await tx.run(invoiceTable.insert(row));
}

/** Of a draft. */
export async function updateDraft(tx: Tx, id: string, row: Partial<Omit<Invoice, 'id' | 'total'>>): Promise<void> {
  await tx.run(sql`update invoice set ${invoiceTable.set(row)} where id = ${id} and state = 'draft'`);
}

/** The next number of a series; no other transaction gets one until this one ends. */
export async function takePlace(tx: Tx, resellerId: string, series: string): Promise<string> {
  const row = await tx.one<{ last: string }>(sql`
    insert into invoice_series as s (reseller_id, series, last) values (${resellerId}, ${series}, 1)
    on conflict (reseller_id, series) do update set last = s.last + 1 returning last`);
  return row.last;
}

/** A credit note reduces it by this amount. */
export async function creditInvoice(tx: Tx, id: string, amount: bigint, at: Date): Promise<void> {
  await tx.run(sql`
    update invoice set credited = credited + ${amount}, settled_at = case when credited + ${amount} = total then coalesce(settled_at, ${at}) else settled_at end,
      state = case when credited + ${amount} = total then 'credited' else state end
    where id = ${id}`);
}

export interface InvoiceFilter {
  readonly kind?: InvoiceKind | undefined;
  readonly state?: InvoiceState | undefined;
  readonly customerId?: string | undefined;
  readonly resellerId?: string | undefined;
  readonly transactionId?: string | undefined;
  readonly number?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly isOverdueOn?: string | undefined;
  /** Documents that a parent sent to the account. */
  readonly isReceived?: boolean | undefined;
  /** For a customer: the documents sent to it. */
  readonly recipientId?: string | undefined;
}

/** Drafts are visible only to the seller. */
const sentTo = (customerId: string) => sql`customer_id = ${customerId} and number is not null`;

function conditions(tenant: string, f: InvoiceFilter): Sql {
  const where = [f.isReceived ? sql`child_id = ${tenant} and number is not null` : sql`reseller_id = ${tenant}`];
  if (f.recipientId) where.push(sentTo(f.recipientId));
  if (f.kind) where.push(sql`kind = ${f.kind}`);
  if (f.state) where.push(sql`state = ${f.state}`);
  if (f.customerId) where.push(sql`customer_id = ${f.customerId}`);
  if (f.resellerId) where.push(sql`child_id = ${f.resellerId}`);
  if (f.transactionId) where.push(sql`bill_id = ${f.transactionId}`);
  if (f.number) where.push(sql`number = ${f.number}`);
  if (f.from) where.push(sql`issued_at >= ${f.from}`);
  if (f.to) where.push(sql`issued_at <= ${f.to}`);
  if (f.isOverdueOn) where.push(sql`state = 'open' and due_on < ${f.isOverdueOn}::date`);
  return sql.join(where, ' and ');
}

/** Newest first. */
export async function selectInvoices(
  db: Reader,
  tenant: string,
  filter: InvoiceFilter,
  page: Page,
): Promise<Listed<Invoice>> {
  const where = conditions(tenant, filter);
  return pageOfNewest<Invoice>(db, columns, { table: sql`invoice`, where, id: sql`id` }, page);
}

/** For the seller, or the sub-reseller or customer that it was sent to. */
export async function findInvoice(
  db: Reader,
  tenant: string,
  id: string,
  customerId?: string,
): Promise<Invoice | undefined> {
  const whose =
    customerId === undefined
      ? sql`(reseller_id = ${tenant} or (child_id = ${tenant} and number is not null))`
      : sql`reseller_id = ${tenant} and ${sentTo(customerId)}`;
  return db.maybe<Invoice>(sql`select ${columns} from invoice where id = ${id} and ${whose}`);
}

/** Reduces the debt, or is credited to the customer's balance. */
export async function creditBill(tx: Tx, at: Date, resellerId: string, billId: string, amount: bigint): Promise<void> {
  await tx.run(sql`select ledger_bill_credit(${at}, ${resellerId}, ${billId}, ${amount})`);
}
