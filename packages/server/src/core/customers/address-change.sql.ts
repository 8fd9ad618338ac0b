import { type Reader, sql, type Tx } from '@namehold/postgres';

/** An address that nobody with every scope has set or confirmed. */
interface UnconfirmedAddress {
  readonly email_before: string;
  /** Of the key or user that set or confirmed it last; null: it no longer exists. */
  readonly scopes: string[] | null;
}

export async function findUnconfirmedAddress(
  db: Reader,
  resellerId: string,
  customerId: string,
): Promise<UnconfirmedAddress | undefined> {
  return db.maybe<UnconfirmedAddress>(sql`
    select c.email_before, coalesce(k.scopes, m.scopes) as scopes
    from customer c
      left join api_key k on k.id = c.email_by and k.reseller_id = c.reseller_id
      left join membership m on m.person_id = c.email_by and m.reseller_id = c.reseller_id
    where c.id = ${customerId} and c.reseller_id = ${resellerId} and c.email_by is not null and c.email_before is not null`);
}

/** `by`: the key or user; null: the address counts as confirmed. */
export async function setAddressBy(
  tx: Tx,
  resellerId: string,
  customerId: string,
  { by, before }: { readonly by: string | null; readonly before: string },
): Promise<void> {
  await tx.run(sql`
    update customer set email_by = ${by}, email_before = ${by === null ? null : before}
    where id = ${customerId} and reseller_id = ${resellerId}`);
}
