import { type Reader, type Sql, sql, Table, type Tx } from '@namehold/postgres';
import type { Contact, ContactParty } from '../model/contact.ts';
import { asciiAddress } from '../reference/email.ts';
import { type PartyFilter, partyConditions, postalColumns } from '../reference/party.sql.ts';

export const contactTable = new Table<Contact>('contact', {
  id: 'bigint',
  reseller_id: 'bigint',
  customer_id: 'bigint',
  status: 'text',
  latin: 'jsonb?',
  eligibility_criteria: 'text[]',
  extra: 'jsonb',
  fingerprint: 'text',
  is_twin: 'boolean',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  ...postalColumns,
});
const { columns } = contactTable;

type ContactRow = ContactParty &
  Pick<Contact, 'reseller_id' | 'customer_id' | 'latin' | 'eligibility_criteria' | 'extra' | 'fingerprint'>;

/** Undefined if a contact of the customer has the same data already. */
export async function insertContact(tx: Tx, row: ContactRow, now: Date): Promise<Contact | undefined> {
  return tx.maybe<Contact>(
    contactTable.insert(
      { ...row, created_at: now, updated_at: now },
      `on conflict (customer_id, fingerprint) where deleted_at is null and not is_twin do nothing returning ${contactTable.list}`,
    ),
  );
}

export async function findContactByFingerprint(
  db: Reader,
  resellerId: string,
  customerId: string,
  fingerprint: string,
): Promise<Contact | undefined> {
  return db.maybe<Contact>(sql`
    select ${columns} from contact
    where customer_id = ${customerId} and reseller_id = ${resellerId} and fingerprint = ${fingerprint} and not is_twin
      and deleted_at is null`);
}

export async function findContact(
  db: Reader,
  resellerId: string,
  customerId: string,
  id: string,
): Promise<Contact | undefined> {
  return db.maybe<Contact>(sql`
    select ${columns} from contact
    where id = ${id} and customer_id = ${customerId} and reseller_id = ${resellerId} and deleted_at is null`);
}

export async function lockContact(
  tx: Tx,
  resellerId: string,
  customerId: string,
  id: string,
): Promise<Contact | undefined> {
  return tx.maybe<Contact>(sql`
    select ${columns} from contact
    where id = ${id} and customer_id = ${customerId} and reseller_id = ${resellerId} and deleted_at is null for update`);
}

/** Its owner stays the same. If another contact has the same data, this one becomes its twin: a change is never refused for that. */
export async function updateContact(
  tx: Tx,
  id: string,
  row: ContactRow & Partial<Contact>,
  now: Date,
): Promise<Contact> {
  const { reseller_id, customer_id: _1, id: _2, status: _3, is_twin: _4, created_at: _5, ...data } = row;
  return tx.one<Contact>(sql`
    update contact c set ${contactTable.set({ ...data, updated_at: now })},
      is_twin = exists (select from contact o where o.customer_id = c.customer_id and o.fingerprint = ${row.fingerprint}
                        and o.id <> c.id and o.deleted_at is null and not o.is_twin)
    where c.id = ${id} and c.reseller_id = ${reseller_id} returning ${columns}`);
}

/** Of the domains whose registrant it is. */
export async function recordRegistrantChange(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.run(sql`select note_holder_change(${id}, ${now})`);
}

/**
 * A present domain that has the contact in one of its roles, or gets it by an unfinished change: an ordered one, or a revert to the
 * contacts of a registration if the registry refuses the contacts assigned since.
 */
export async function contactInUse(
  tx: Tx,
  resellerId: string,
  id: string,
): Promise<{ name: string; is_ordered: boolean } | undefined> {
  return tx.maybe<{ name: string; is_ordered: boolean }>(sql`
    select name, false as is_ordered from domain
    where ${id} in (registrant_contact_id, admin_contact_id, tech_contact_id, billing_contact_id) and state <> 'removed'
    union all
    select o.request ->> 'name', true from operation o
    where o.reseller_id = ${resellerId} and o.kind in ('update', 'register') and o.state not in ('done', 'refused', 'cancelled')
      and exists (select from jsonb_each_text(case o.kind when 'update' then o.request -> 'wanted' -> 'contacts' else o.outcome -> 'plan' -> 'sent_contacts' end) role
                  where role.value = ${id}::text)
    order by is_ordered, name limit 1`);
}

export async function deleteContactRow(tx: Tx, resellerId: string, id: string, now: Date): Promise<void> {
  await tx.run(sql`update contact set deleted_at = ${now} where id = ${id} and reseller_id = ${resellerId}`);
}

export interface ContactFilter extends PartyFilter {
  /** A class with a declaration of its own. */
  readonly declared?: string | undefined;
}

function conditions(filter: ContactFilter): Sql[] {
  const made = partyConditions(filter);
  if (filter.email) made.push(sql`lower(email) = lower(${asciiAddress(filter.email)})`);
  if (filter.declared) made.push(sql`${filter.declared} = any (eligibility_criteria)`);
  return made;
}

export async function listContacts(
  db: Reader,
  resellerId: string,
  customerId: string,
  filter: ContactFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: Contact[]; total: number }> {
  const where = sql.join(
    [sql`customer_id = ${customerId} and reseller_id = ${resellerId} and deleted_at is null`, ...conditions(filter)],
    ' and ',
  );
  const [rows, counted] = await Promise.all([
    db.many<Contact>(sql`
      select ${columns} from contact where ${where} order by id limit ${page.limit} offset ${page.offset}`),
    db.one<{ n: string }>(sql`select count(*) as n from contact where ${where}`),
  ]);
  return { rows, total: Number(counted.n) };
}

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
