import { type Reader, sql, type Tx } from '@namehold/base';

/** Customers whose first contact is still to be made, some at a time. */
export async function customersWithoutContact(
  db: Reader,
  limit: number,
): Promise<{ customer_id: string; reseller_id: string }[]> {
  return db.many(sql`select customer_id, reseller_id from contact_owed order by customer_id limit ${limit}`);
}

export async function clearMissingContact(tx: Tx, customerId: string): Promise<void> {
  await tx.run(sql`delete from contact_owed where customer_id = ${customerId}`);
}
