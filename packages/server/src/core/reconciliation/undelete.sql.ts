import { sql, type Tx } from '@namehold/postgres';

/** The account that a difference is about: the customer and reseller of a domain or of a ledger account, or a reseller itself. */
interface Owner {
  readonly reseller_id: string;
  readonly customer_id: string | null;
}

export async function findOwner(tx: Tx, noun: string, id: string): Promise<Owner | undefined> {
  if (noun === 'reseller')
    return tx.maybe<Owner>(sql`select id as reseller_id, null as customer_id from reseller where id = ${id}`);
  const table = noun === 'domain' ? sql`domain` : sql`ledger_account`;
  return tx.maybe<Owner>(sql`select reseller_id, customer_id from ${table} where id = ${id}`);
}

/** The reseller and those above it that are deleted: the topmost first, because each needs the one above it. */
export async function deletedChain(tx: Tx, resellerId: string): Promise<string[]> {
  const rows = await tx.many<{ id: string }>(sql`
    with recursive chain as (
      select r.id, r.parent_id, r.deleted_at, 1 as place from reseller r where r.id = ${resellerId}
      union all
      select r.id, r.parent_id, r.deleted_at, c.place + 1 from chain c join reseller r on r.id = c.parent_id)
    select id from chain where deleted_at is not null order by place desc`);
  return rows.map((row) => row.id);
}

/** Suspended: its keys and users must not work again before its parent activates it. */
export async function undeleteResellerRow(tx: Tx, id: string): Promise<void> {
  await tx.run(
    sql`update reseller set deleted_at = null, status = 'Suspended' where id = ${id} and deleted_at is not null`,
  );
}

/** With the contacts that were deleted along with it, and without sign-in. False if it is not deleted. */
export async function undeleteCustomerRow(tx: Tx, resellerId: string, id: string): Promise<boolean> {
  const row = await tx.maybe<{ deleted_at: string }>(sql`
    select deleted_at::text as deleted_at from customer where id = ${id} and reseller_id = ${resellerId} and deleted_at is not null for update`);
  if (!row) return false;
  await tx.run(sql`update customer set deleted_at = null, access = 'none' where id = ${id}`);
  await tx.run(
    sql`update contact set deleted_at = null where customer_id = ${id} and deleted_at = ${row.deleted_at}::timestamptz`,
  );
  return true;
}

export async function livingDomainsOf(tx: Tx, customerId: string): Promise<string[]> {
  const rows = await tx.many<{ id: string }>(
    sql`select id from domain where customer_id = ${customerId} and state <> 'removed' order by id`,
  );
  return rows.map((row) => row.id);
}
