import { type Reader, type Sql, sql, Table, type Tx } from '@namehold/postgres';
import type { StoredPasswords, TemporaryPassword } from '../accounts/password.ts';
import { atMost, countSome, nearerEnd, totalOf } from '../page.sql.ts';
import type { Listed, Page } from '../page.ts';
import { asciiAddress } from '../reference/email.ts';
import { type PartyFilter, partyColumns, partyConditions } from '../reference/party.sql.ts';
import type { Party } from '../reference/party.ts';
import type { Customer } from './customer.ts';

export const customerTable = new Table<
  Customer,
  { password_hash: string; password_by: readonly string[]; password_maker: string | null }
>(
  'customer',
  {
    id: 'bigint',
    reseller_id: 'bigint',
    status: 'text',
    lang_id: 'text',
    total_receipts: 'bigint',
    currency: 'text',
    default_nameservers: 'text[]?',
    renewal_mode: 'text?',
    created_at: 'timestamptz',
    ...partyColumns,
  },
  { password_hash: 'text', password_by: 'text[]', password_maker: 'text?' },
);
const { columns } = customerTable;

interface NewCustomerRow extends Party {
  readonly reseller_id: string;
  readonly password_hash: string;
  readonly created_at: Date;
  /** The keys and users that chose a password for it. */
  readonly password_by: readonly string[];
  /** The key that chose it; null: it stays when its creator is removed. */
  readonly password_maker: string | null;
}

export async function insertCustomer(tx: Tx, row: NewCustomerRow): Promise<Customer> {
  const currency = sql`(select selling_currency from reseller where id = ${row.reseller_id})`;
  return tx.one<Customer>(customerTable.insert({ ...row, currency }, `returning ${customerTable.list}`));
}

export async function updateCustomer(tx: Tx, resellerId: string, id: string, party: Party): Promise<Customer> {
  return tx.one<Customer>(sql`
    update customer set ${customerTable.set(party)}
    where id = ${id} and reseller_id = ${resellerId} returning ${columns}`);
}

export async function findCustomer(db: Reader, resellerId: string, id: string): Promise<Customer | undefined> {
  return db.maybe<Customer>(sql`
    select ${columns} from customer where id = ${id} and reseller_id = ${resellerId} and deleted_at is null`);
}

/** Includes deleted customers with transactions: a later refund must still be reachable. */
export async function findPayer(db: Reader, resellerId: string, id: string): Promise<Customer | undefined> {
  return db.maybe<Customer>(sql`
    select ${columns} from customer c where id = ${id} and reseller_id = ${resellerId}
      and (deleted_at is null or exists (select from ledger_account a where a.reseller_id = c.reseller_id and a.customer_id = c.id))`);
}

/**
 * For a writer below the customer (a contact, a domain): it cannot be deleted before this transaction ends. Others may do the same, and
 * change it.
 */
export async function shareCustomer(tx: Tx, resellerId: string, id: string): Promise<Customer | undefined> {
  return tx.maybe<Customer>(sql`
    select ${columns} from customer where id = ${id} and reseller_id = ${resellerId} and deleted_at is null for key share`);
}

/** For a change of the customer itself: writers below it do not wait for this. */
export async function lockCustomer(tx: Tx, resellerId: string, id: string): Promise<Customer | undefined> {
  return tx.maybe<Customer>(sql`
    select ${columns} from customer where id = ${id} and reseller_id = ${resellerId} and deleted_at is null for no key update`);
}

/** Waits for every writer that refers to the customer; later writers wait for this one. */
export async function lockCustomerForDeletion(tx: Tx, resellerId: string, id: string): Promise<Customer | undefined> {
  return tx.maybe<Customer>(sql`
    select ${columns} from customer where id = ${id} and reseller_id = ${resellerId} and deleted_at is null for update`);
}

export async function findCustomerByEmail(
  db: Reader,
  resellerId: string,
  email: string,
): Promise<Customer | undefined> {
  return db.maybe<Customer>(sql`
    select ${columns} from customer
    where reseller_id = ${resellerId} and email_key = lower(${asciiAddress(email)}) and deleted_at is null`);
}

export async function setTotalReceipts(tx: Tx, resellerId: string, id: string, minorUnits: bigint): Promise<Customer> {
  return tx.one<Customer>(sql`
    update customer set total_receipts = ${minorUnits.toString()} where id = ${id} and reseller_id = ${resellerId} returning ${columns}`);
}

export async function setDefaultNameservers(
  tx: Tx,
  resellerId: string,
  id: string,
  nameservers: readonly string[],
): Promise<Customer> {
  return tx.one<Customer>(sql`
    update customer set default_nameservers = ${nameservers} where id = ${id} and reseller_id = ${resellerId} returning ${columns}`);
}

export async function setTemporaryPassword(
  tx: Tx,
  resellerId: string,
  id: string,
  made: TemporaryPassword & { readonly by: string | null },
): Promise<void> {
  await tx.run(sql`
    update customer set temp_password_hash = ${made.hash}, temp_password_expires_at = ${made.expiresAt}, temp_password_maker = ${made.by},
      password_by = case when ${made.by}::text is null then password_by else array_append(array_remove(password_by, ${made.by}), ${made.by}) end
    where id = ${id} and reseller_id = ${resellerId}`);
}

export async function findPasswords(db: Reader, resellerId: string, id: string): Promise<StoredPasswords | undefined> {
  return db.maybe<StoredPasswords>(sql`
    select password_hash, temp_password_hash, temp_password_expires_at from customer
    where id = ${id} and reseller_id = ${resellerId} and deleted_at is null`);
}

/** A domain that the customer still has, if there is one. */
export async function customerInUse(tx: Tx, id: string): Promise<{ name: string; domains: number } | undefined> {
  const found = await tx.one<{ name: string | null; domains: number }>(sql`
    select min(name) as name, count(*)::integer as domains from domain where customer_id = ${id} and state <> 'removed'`);
  return found.name === null ? undefined : { name: found.name, domains: found.domains };
}

/** A domain that is being moved to the customer, from another customer or reseller. */
export async function findMoveTo(tx: Tx, resellerId: string, id: string): Promise<string | null> {
  return (await tx.one<{ name: string | null }>(sql`select moves_to_customer(${resellerId}, ${id}) as name`)).name;
}

/** With its contacts, which could not be reached any more. */
export async function deleteCustomerRows(tx: Tx, resellerId: string, id: string, now: Date): Promise<void> {
  await tx.run(sql`
    update contact set deleted_at = ${now} where customer_id = ${id} and reseller_id = ${resellerId} and deleted_at is null`);
  await tx.run(sql`update customer set deleted_at = ${now} where id = ${id} and reseller_id = ${resellerId}`);
}

export interface CustomerFilter extends PartyFilter {
  /** Minor units. */
  readonly receiptsFrom?: bigint | undefined;
  readonly receiptsTo?: bigint | undefined;
}

function conditions(filter: CustomerFilter): Sql[] {
  const made = partyConditions(filter);
  // Exact match: a panel takes the first row as the customer it searched for.
  if (filter.email) made.push(sql`email_key = lower(${asciiAddress(filter.email)})`);
  if (filter.receiptsFrom !== undefined) made.push(sql`total_receipts >= ${filter.receiptsFrom.toString()}`);
  if (filter.receiptsTo !== undefined) made.push(sql`total_receipts <= ${filter.receiptsTo.toString()}`);
  return made;
}

/** With a filter they are counted only up to a limit; one row more than wanted shows whether others follow. */
export async function listCustomers(
  db: Reader,
  resellerId: string,
  filter: CustomerFilter,
  page: Page,
): Promise<Listed<Customer>> {
  const wanted = conditions(filter);
  if (wanted.length === 0) return pageOfCustomers(db, resellerId, page);
  const where = sql.join([sql`reseller_id = ${resellerId} and deleted_at is null`, ...wanted], ' and ');
  const [found, counted] = await Promise.all([
    db.many<Customer>(sql`
      select ${columns} from customer where ${where} order by id limit ${page.limit + 1} offset ${page.offset}`),
    countSome(db, { table: sql`customer`, where }),
  ]);
  const totals = totalOf(counted);
  const most = totals.totalIs ? await totalOfCustomers(db, resellerId) : 0;
  const rows = found.slice(0, page.limit);
  return { rows, ...atMost(totals, most), isMore: found.length > rows.length };
}

async function totalOfCustomers(db: Reader, resellerId: string): Promise<number> {
  const kept = await db.maybe<{ live: string }>(sql`select live from customer_total where reseller_id = ${resellerId}`);
  return Number(kept?.live ?? 0);
}

/**
 * Without a filter the total comes from the counter, and the statements are planned once. For far pages the query starts from the nearer
 * end.
 */
async function pageOfCustomers(db: Reader, resellerId: string, page: Page): Promise<Listed<Customer>> {
  const known = page.offset < page.limit ? undefined : await totalOfCustomers(db, resellerId);
  if (known !== undefined && page.offset >= known) return { rows: [], total: known };
  if (known !== undefined && page.offset > known / 2) {
    const total = sql`(select live from customer_total where reseller_id = ${resellerId})`;
    const rows = await db.many<Customer>(sql`
      select ${columns} from customer where reseller_id = ${resellerId} and deleted_at is null order by id desc ${nearerEnd(page, known, total).part}`);
    return { rows: rows.reverse(), total: known };
  }
  const rows = await db.many<Customer & { total: string }>(sql`
    select ${columns}, (select live from customer_total where reseller_id = ${resellerId}) as total
    from customer where reseller_id = ${resellerId} and deleted_at is null order by id limit ${page.limit} offset ${page.offset}`);
  return { rows, total: known ?? Number(rows[0]?.total ?? 0) };
}

export async function findTaxId(
  db: Reader,
  resellerId: string,
  id: string,
): Promise<{ tax_id: string | null } | undefined> {
  return db.maybe<{ tax_id: string | null }>(
    sql`select tax_id from customer where id = ${id} and reseller_id = ${resellerId} and deleted_at is null`,
  );
}

export async function setTaxId(tx: Tx, resellerId: string, id: string, taxId: string | null): Promise<void> {
  await tx.run(sql`update customer set tax_id = ${taxId} where id = ${id} and reseller_id = ${resellerId}`);
}
