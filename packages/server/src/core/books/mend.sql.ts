import { type Queryable, sql, type Tx } from '@namehold/base';

/** A purchase with the state of its operation, both kept as they are until the transaction ends. */
export async function lockPurchase(
  tx: Tx,
  transactionId: string,
): Promise<{ status: string; state: string | null } | undefined> {
  return tx.maybe(sql`
    select t.status, o.state from operation o join ledger_transaction t on t.operation_id = o.id and t.id = t.purchase_id
    where t.id = ${transactionId} for update of o`);
}

export async function lastHolder(
  db: Queryable,
  name: string,
): Promise<{ reseller_id: string; customer_id: string } | undefined> {
  return db.maybe(sql`select reseller_id, customer_id from domain where name = ${name} order by id desc limit 1`);
}
