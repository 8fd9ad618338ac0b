import { type Reader, sql, type Tx } from '@namehold/postgres';

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

export async function hasOpenUpdate(db: Reader, contactId: string, registryId: string): Promise<boolean> {
  const row = await db.maybe(sql`
    select 1 as one from operation
    where contact_id = ${contactId} and registry_id = ${registryId} and kind = 'contact_update'
      and state not in ('done', 'refused', 'cancelled')`);
  return row !== undefined;
}

/** Waits for a concurrent change of the contact. */
export async function presentFingerprint(tx: Tx, contactId: string): Promise<string> {
  const row = await tx.one<{ fingerprint: string }>(
    sql`select fingerprint from contact where id = ${contactId} for share`,
  );
  return row.fingerprint;
}
