import { sql, type Tx } from '@namehold/base';

/** Restores deleted contacts that a domain refers to, if their customer exists. Returns their ids. */
export async function undeleteContactsOf(tx: Tx, domainId: string): Promise<string[]> {
  const rows = await tx.many<{ id: string }>(sql`
    update contact k set deleted_at = null,
      is_twin = k.is_twin or exists (select from contact o where o.customer_id = k.customer_id and o.fingerprint = k.fingerprint and o.id <> k.id
                                     and o.deleted_at is null and not o.is_twin)
    from domain d join customer c on c.id = d.customer_id and c.deleted_at is null
    where d.id = ${domainId} and k.deleted_at is not null and k.customer_id = c.id
      and k.id in (d.registrant_contact_id, d.admin_contact_id, d.tech_contact_id, d.billing_contact_id) returning k.id`);
  return rows.map((row) => row.id);
}
