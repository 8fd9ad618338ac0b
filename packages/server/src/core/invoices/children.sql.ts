import { type Reader, sql, type Tx } from '@namehold/postgres';

/** One process at a time makes documents for the children of a seller. */
export async function lockSeller(tx: Tx, resellerId: string): Promise<void> {
  await tx.one(sql`select reseller_id from invoice_settings where reseller_id = ${resellerId} for update`);
}

export interface ChargedChild {
  readonly child_id: string;
  readonly currency: string;
}

export interface Span {
  readonly from: Date;
  readonly to: Date;
}

export async function chargedChildren(db: Reader, sellerId: string, { from, to }: Span): Promise<ChargedChild[]> {
  return db.many<ChargedChild>(
    sql`select child_id, currency from invoice_charged_children(${sellerId}, ${from}, ${to})`,
  );
}

/** Charges to a sub-reseller that were not refunded. */
export interface Charge {
  readonly transaction_id: string;
  readonly amount: string;
  readonly description: string;
  readonly domain_name: string | null;
  readonly charged_at: Date;
}

export async function takeCharges(
  tx: Tx,
  sellerId: string,
  { child_id, currency }: ChargedChild,
  { from, to }: Span,
  limit: number,
): Promise<Charge[]> {
  return tx.many<Charge>(sql`
    select transaction_id, amount, description, domain_name, charged_at
    from invoice_charges_take(${sellerId}, ${child_id}, ${currency}, ${from}, ${to}, ${limit})`);
}

export async function insertCharges(tx: Tx, invoiceId: string, charges: readonly Charge[]): Promise<void> {
  const [ids, amounts] = [charges.map((each) => each.transaction_id), charges.map((each) => each.amount)];
  await tx.run(sql`
    insert into invoice_charge (transaction_id, invoice_id, amount)
    select u.id, ${invoiceId}, u.amount from unnest(${ids}::bigint[], ${amounts}::bigint[]) as u (id, amount)`);
}

/** A charge of an invoice that is corrected: its amount on the invoice (`amount`), and its amount in the ledger. */
export interface OpenCharge extends Charge {
  readonly owed: string;
}

/** In the order of the lines; refunds of these charges wait. */
export async function lockCharges(tx: Tx, sellerId: string, invoiceId: string): Promise<OpenCharge[]> {
  await tx.run(sql`select invoice_lock_charges(${sellerId}, ${invoiceId})`);
  return tx.many<OpenCharge>(sql`
    select c.transaction_id, c.amount - c.credited as amount, greatest(0, t.captured - t.refunded - c.given) as owed, t.description, d.name as domain_name,
      t.settled_at as charged_at
    from invoice_charge c join ledger_transaction t on t.id = c.transaction_id left join domain d on d.id = t.domain_id
    where c.invoice_id = ${invoiceId} order by c.transaction_id for update of c`);
}

/** Charges of an invoice that is now credited are on another one. */
export async function moveCharges(tx: Tx, fromId: string, toId: string, charges: readonly Charge[]): Promise<void> {
  const [ids, amounts] = [charges.map((each) => each.transaction_id), charges.map((each) => each.amount)];
  await tx.run(sql`
    update invoice_charge set replaced_by = ${toId} where invoice_id = ${fromId} and transaction_id = any(${ids}::bigint[])`);
  await tx.run(sql`
    insert into invoice_charge (transaction_id, invoice_id, amount, given)
    select u.id, ${toId}, u.amount, c.given from unnest(${ids}::bigint[], ${amounts}::bigint[]) as u (id, amount)
    join invoice_charge c on c.transaction_id = u.id and c.invoice_id = ${fromId}`);
}

/** A charge and its amount on its invoice. */
interface InvoicedCharge {
  readonly invoice_id: string;
  readonly uncredited: string;
  readonly given: string;
}

export async function lockInvoicedCharge(tx: Tx, transactionId: string): Promise<InvoicedCharge | undefined> {
  return tx.maybe<InvoicedCharge>(sql`
    select invoice_id, amount - credited as uncredited, given from invoice_charge where transaction_id = ${transactionId} and replaced_by is null for update`);
}

/** Amounts of an invoice's charges that credit notes took back; `isGiven`: with a deposit from the seller. */
export async function addCredited(
  tx: Tx,
  invoiceId: string,
  parts: ReadonlyMap<string, bigint>,
  isGiven: boolean,
): Promise<void> {
  await tx.run(sql`
    update invoice_charge c set credited = c.credited + u.amount, given = c.given + case when ${isGiven} then u.amount else 0 end
    from unnest(${[...parts.keys()]}::bigint[], ${[...parts.values()].map(String)}::bigint[]) as u (id, amount)
    where c.invoice_id = ${invoiceId} and c.transaction_id = u.id`);
}
