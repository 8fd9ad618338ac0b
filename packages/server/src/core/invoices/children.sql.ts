import { type Reader, sql, type Tx } from '@namehold/base';

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

/** What a child was charged and has not got back. */
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

/** A charge on its invoice: how much of it stands there. */
export interface InvoicedCharge {
  readonly invoice_id: string;
  readonly standing: string;
}

export async function lockInvoicedCharge(tx: Tx, transactionId: string): Promise<InvoicedCharge | undefined> {
  return tx.maybe<InvoicedCharge>(sql`
    select invoice_id, amount - credited as standing from invoice_charge where transaction_id = ${transactionId} for update`);
}

export async function addCredited(tx: Tx, transactionId: string, amount: bigint): Promise<void> {
  await tx.run(sql`update invoice_charge set credited = credited + ${amount} where transaction_id = ${transactionId}`);
}
