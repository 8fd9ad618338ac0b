import { type Reader, sql, type Tx } from '@namehold/postgres';

/** An order that waits for its customer's payment. The row exists exactly as long as it waits. */
export interface WaitingOrder {
  /** The customer's bill. */
  readonly transaction_id: string;
  readonly reseller_id: string;
  readonly customer_id: string;
  readonly domain_id: string;
  readonly kind: string;
  readonly order_sealed: string;
  readonly created_at: Date;
  readonly expires_at: Date;
}

const names = [
  'transaction_id',
  'reseller_id',
  'customer_id',
  'domain_id',
  'kind',
  'order_sealed',
  'created_at',
  'expires_at',
];
const columns = sql.raw(names.join(', '));
const columnsOf = (table: string) => sql.raw(names.map((name) => `${table}.${name}`).join(', '));

export async function insertWaitingOrder(tx: Tx, o: WaitingOrder): Promise<void> {
  await tx.run(sql`
    insert into waiting_order (${columns})
    values (${o.transaction_id}, ${o.reseller_id}, ${o.customer_id}, ${o.domain_id}, ${o.kind}, ${o.order_sealed}, ${o.created_at}, ${o.expires_at})`);
}

export async function findWaitingOrders(
  db: Reader,
  resellerId: string,
  customerId: string,
  ids: readonly string[],
): Promise<WaitingOrder[]> {
  return db.many<WaitingOrder>(sql`
    select ${columns} from waiting_order
    where transaction_id = any (${ids}::bigint[]) and reseller_id = ${resellerId} and customer_id = ${customerId} order by transaction_id`);
}

/** Serialises the orders of one customer for one domain until the transaction ends. */
export async function lockName(tx: Tx, resellerId: string, customerId: string, name: string): Promise<void> {
  await tx.many(
    sql`select pg_advisory_xact_lock(hashtextextended(${`${resellerId} ${customerId} ${name}`}, 250))::text as locked`,
  );
}

export interface UnpaidOrder extends WaitingOrder {
  readonly amount: string;
  readonly currency: string;
}

/** The unpaid order of this customer for a domain that it does not have, with its bill. */
export async function findUnpaidOrder(
  tx: Tx,
  resellerId: string,
  customerId: string,
  name: string,
): Promise<UnpaidOrder | undefined> {
  return tx.maybe<UnpaidOrder>(sql`
    select ${columnsOf('w')}, t.amount, t.currency from domain d
      join waiting_order w on w.domain_id = d.id
      join ledger_transaction t on t.id = w.transaction_id and t.reseller_id = w.reseller_id and t.customer_id = w.customer_id
    where d.reseller_id = ${resellerId} and d.customer_id = ${customerId} and d.name = ${name} and d.state = 'unpaid'
    order by d.id limit 1`);
}

/** The active or pending domain of this customer; one whose transfer waits for another code does not count. */
export async function findHeldName(
  tx: Tx,
  resellerId: string,
  customerId: string,
  name: string,
): Promise<string | undefined> {
  const row = await tx.maybe<{ id: string }>(sql`
    select id from domain
    where reseller_id = ${resellerId} and customer_id = ${customerId} and name = ${name} and state not in ('removed', 'unpaid')
      and not (state = 'pending' and (transfer ->> 'status') is not distinct from 'code_refused')
    order by id limit 1`);
  return row?.id;
}

/** At most this many orders of one kind for one domain are read; those of earlier terms expire. */
const ordersOfKind = 20;

/** The orders of this kind for a domain that its customer has, with their bills, newest first. */
export async function findOrdersOfKind(
  tx: Tx,
  of: { readonly resellerId: string; readonly customerId: string; readonly domainId: string; readonly kind: string },
): Promise<UnpaidOrder[]> {
  return tx.many<UnpaidOrder>(sql`
    select ${columnsOf('w')}, t.amount, t.currency from waiting_order w
      join ledger_transaction t on t.id = w.transaction_id and t.reseller_id = w.reseller_id and t.customer_id = w.customer_id
    where w.domain_id = ${of.domainId} and w.reseller_id = ${of.resellerId} and w.customer_id = ${of.customerId} and w.kind = ${of.kind}
    order by w.transaction_id desc limit ${ordersOfKind}`);
}

/** The caller that gets the lock decides about them. */
export async function lockWaitingOrders(tx: Tx, resellerId: string, ids: readonly string[]): Promise<WaitingOrder[]> {
  return tx.many<WaitingOrder>(sql`
    select ${columns} from waiting_order
    where transaction_id = any (${ids}::bigint[]) and reseller_id = ${resellerId} order by transaction_id for update`);
}

/** The order for a domain that is not registered yet; its row stays locked. */
export async function lockOrderOfDomain(
  tx: Tx,
  resellerId: string,
  domainId: string,
): Promise<WaitingOrder | undefined> {
  return tx.maybe<WaitingOrder>(sql`
    select ${columns} from waiting_order where domain_id = ${domainId} and reseller_id = ${resellerId}
    order by transaction_id limit 1 for update`);
}

export async function replaceOrder(tx: Tx, transactionId: string, encryptedOrder: string): Promise<void> {
  await tx.run(sql`update waiting_order set order_sealed = ${encryptedOrder} where transaction_id = ${transactionId}`);
}

export async function deleteWaitingOrder(tx: Tx, transactionId: string): Promise<void> {
  await tx.run(sql`delete from waiting_order where transaction_id = ${transactionId}`);
}

/** Not paid in time, or for a domain that is gone, so that the order could never run. */
export async function expiredOrders(db: Reader, now: Date, limit: number): Promise<WaitingOrder[]> {
  return db.many<WaitingOrder>(sql`
    select ${columns} from waiting_order
    where expires_at <= ${now} or domain_id in (select d.id from domain d join waiting_order w on w.domain_id = d.id where d.state = 'removed')
    order by expires_at limit ${limit}`);
}

/** Turns the row of an unpaid order into a tombstone. A domain that the customer already has is not changed. */
export async function removeUnpaid(tx: Tx, domainId: string, now: Date): Promise<void> {
  await tx.run(sql`
    update domain set state = 'removed', removed_reason = 'cancelled', removed_at = ${now}, updated_at = ${now}
    where id = ${domainId} and state = 'unpaid'`);
}

/** The operation that a bill is for, if its order has run. */
export async function findOperationOfBill(db: Reader, resellerId: string, billId: string): Promise<string | undefined> {
  const row = await db.maybe<{ id: string }>(
    sql`select id from operation where bill_id = ${billId} and reseller_id = ${resellerId} order by id desc limit 1`,
  );
  return row?.id;
}

/** Whether its product is bought or in progress; false if the registry refused it. */
export async function hasRun(db: Reader, resellerId: string, billId: string): Promise<boolean> {
  const row = await db.maybe(sql`
    select from operation where bill_id = ${billId} and reseller_id = ${resellerId} and state not in ('refused', 'cancelled') limit 1`);
  return row !== undefined;
}
