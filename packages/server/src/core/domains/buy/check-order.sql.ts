import { type Reader, sql, type Tx } from '@namehold/postgres';

interface Buyer {
  readonly default_nameservers: string[] | null;
  /** The given contacts that belong to the customer. */
  readonly contact_ids: string[];
}

export async function findBuyer(
  db: Reader,
  resellerId: string,
  customerId: string,
  contactIds: readonly string[],
): Promise<Buyer | undefined> {
  return db.maybe<Buyer>(sql`
    select c.default_nameservers, array(
      select k.id::text from contact k
      where k.id = any (${contactIds}::bigint[]) and k.reseller_id = c.reseller_id and k.customer_id = c.id and k.deleted_at is null
    ) as contact_ids
    from customer c where c.id = ${customerId} and c.reseller_id = ${resellerId} and c.deleted_at is null`);
}

export async function ownContacts(
  db: Reader,
  resellerId: string,
  customerId: string,
  contactIds: readonly string[],
): Promise<string[]> {
  const found = await db.many<{ id: string }>(sql`
    select id from contact
    where id = any (${contactIds}::bigint[]) and reseller_id = ${resellerId} and customer_id = ${customerId} and deleted_at is null`);
  return found.map((row) => row.id);
}

/** The same, with the rows locked, so that they cannot be deleted before the transaction that refers to them ends. */
export async function shareContacts(
  tx: Tx,
  resellerId: string,
  customerId: string,
  contactIds: readonly string[],
): Promise<string[]> {
  const found = await tx.many<{ id: string }>(sql`
    select id from contact
    where id = any (${contactIds}::bigint[]) and reseller_id = ${resellerId} and customer_id = ${customerId} and deleted_at is null
    order by id for key share`);
  return found.map((row) => row.id);
}

export async function findContactExtra(db: Reader, contactId: string): Promise<Record<string, string> | undefined> {
  const row = await db.maybe<{ extra: Record<string, string> }>(sql`select extra from contact where id = ${contactId}`);
  return row?.extra;
}
