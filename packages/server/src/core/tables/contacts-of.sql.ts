import { type Reader, sql } from '@namehold/postgres';
import type { Contact } from '../model/contact.ts';
import { type ContactRole, contactRoles, type Domain } from '../model/domain.ts';
import { contactTable } from './contact.sql.ts';

export type DomainContacts = Readonly<Record<ContactRole, Contact | null>>;

type WithContacts = Pick<
  Domain,
  'reseller_id' | 'registrant_contact_id' | 'admin_contact_id' | 'tech_contact_id' | 'billing_contact_id'
>;

/** A tombstone keeps its contacts, including deleted ones. */
export async function contactsOf(db: Reader, domain: WithContacts): Promise<DomainContacts> {
  const idOf = (role: ContactRole) => domain[`${role}_contact_id`];
  const ids = contactRoles.flatMap((role) => idOf(role) ?? []);
  const rows = await db.many<Contact>(sql`
    select ${contactTable.columns} from contact where id = any (${ids}::bigint[]) and reseller_id = ${domain.reseller_id}`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const of = (role: ContactRole) => byId.get(idOf(role) ?? '') ?? null;
  return { registrant: of('registrant'), admin: of('admin'), tech: of('tech'), billing: of('billing') };
}

/** For background jobs, which work for every reseller. */
export async function contactOf(db: Reader, id: string): Promise<Contact | undefined> {
  return db.maybe<Contact>(sql`select ${contactTable.columns} from contact where id = ${id}`);
}
