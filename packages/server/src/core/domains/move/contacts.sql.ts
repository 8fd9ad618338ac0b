import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Contact } from '../../model/contact.ts';
import { contactTable } from '../../tables/contact.sql.ts';

interface Owner {
  readonly resellerId: string;
  readonly customerId: string;
}

/** A contact of the customer with the same data: one of its own, or a hidden copy. */
export async function findSame(db: Reader, owner: Owner, fingerprint: string): Promise<string | undefined> {
  const row = await db.maybe<{ id: string }>(sql`
    select id from contact
    where reseller_id = ${owner.resellerId} and customer_id = ${owner.customerId} and fingerprint = ${fingerprint}
    order by deleted_at is not null, is_twin, id limit 1`);
  return row?.id;
}

/** Hidden until the domain has moved, so that a failed move leaves no data of the current reseller with the receiving one. */
export async function insertHiddenCopy(tx: Tx, owner: Owner, source: Contact, now: Date): Promise<string> {
  const { id: _, ...data } = source;
  const { id } = await tx.one<{ id: string }>(
    contactTable.insert(
      {
        ...data,
        reseller_id: owner.resellerId,
        customer_id: owner.customerId,
        status: 'Active',
        is_twin: true,
        created_at: now,
        updated_at: now,
      },
      'returning id',
    ),
  );
  await tx.run(sql`update contact set deleted_at = ${now} where id = ${id}`);
  return id;
}

export async function showCopies(tx: Tx, resellerId: string, ids: readonly string[]): Promise<Contact[]> {
  return tx.many<Contact>(sql`
    update contact c set deleted_at = null,
      is_twin = exists (select from contact o where o.customer_id = c.customer_id and o.fingerprint = c.fingerprint and o.id <> c.id
                        and o.deleted_at is null and not o.is_twin)
    where c.id = any (${ids}::bigint[]) and c.reseller_id = ${resellerId} and c.deleted_at is not null returning ${contactTable.columns}`);
}
