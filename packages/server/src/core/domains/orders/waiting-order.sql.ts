import { type Reader, sql, type Tx } from '@namehold/base';

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

const columns = sql.raw(
  'transaction_id, reseller_id, customer_id, domain_id, kind, order_sealed, created_at, expires_at',
);

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

/** Whoever has the lock decides what becomes of them. */
export async function lockWaitingOrders(tx: Tx, resellerId: string, ids: readonly string[]): Promise<WaitingOrder[]> {
  return tx.many<WaitingOrder>(sql`
    select ${columns} from waiting_order
    where transaction_id = any (${ids}::bigint[]) and reseller_id = ${resellerId} order by transaction_id for update`);
}

export async function deleteWaitingOrder(tx: Tx, transactionId: string): Promise<void> {
  await tx.run(sql`delete from waiting_order where transaction_id = ${transactionId}`);
}

/** Nobody paid in time; or the name that it is for is gone, and it could never run. */
export async function lapsedOrders(db: Reader, now: Date, limit: number): Promise<WaitingOrder[]> {
  return db.many<WaitingOrder>(sql`
    select ${columns} from waiting_order
    where expires_at <= ${now} or domain_id in (select d.id from domain d join waiting_order w on w.domain_id = d.id where d.state = 'removed')
    order by expires_at limit ${limit}`);
}

/** The tombstone of a name whose order waited; a name that is held already stays as it is. */
export async function buryUnpaid(tx: Tx, domainId: string, now: Date): Promise<void> {
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

/** Whether what it was for is bought, or under way; not where the registry refused it. */
export async function hasRun(db: Reader, resellerId: string, billId: string): Promise<boolean> {
  const row = await db.maybe(sql`
    select from operation where bill_id = ${billId} and reseller_id = ${resellerId} and state not in ('refused', 'cancelled') limit 1`);
  return row !== undefined;
}
