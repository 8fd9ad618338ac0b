import { type Reader, sql } from '@namehold/postgres';
import type { Language } from './kinds.ts';
import type { RecipientRow } from './recipient.ts';

/** Facts of a domain for its notices. */
export interface HeldNameRow {
  readonly id: string;
  readonly reseller_id: string;
  readonly name: string;
  readonly registrant_contact_id: string | null;
}

export async function findHeldName(db: Reader, resellerId: string, id: string): Promise<HeldNameRow | undefined> {
  return db.maybe<HeldNameRow>(sql`
    select id, reseller_id, name, registrant_contact_id from domain where id = ${id} and reseller_id = ${resellerId}`);
}

export interface RegistrantRow extends RecipientRow {
  readonly id: string;
  readonly company: string;
}

export async function findRegistrant(
  db: Reader,
  resellerId: string,
  contactId: string,
): Promise<RegistrantRow | undefined> {
  return db.maybe<RegistrantRow>(sql`
    select id, name, company, email, country_code from contact where id = ${contactId} and reseller_id = ${resellerId}`);
}

export async function findOwner(db: Reader, resellerId: string): Promise<RecipientRow | undefined> {
  return db.maybe<RecipientRow>(sql`
    select name, email, country_code from reseller where id = ${resellerId} and deleted_at is null`);
}

export async function managesRegistrants(db: Reader, id: string): Promise<boolean> {
  const row = await db.maybe<{ on: boolean }>(sql`select looks_after_holders as on from reseller where id = ${id}`);
  return row?.on ?? false;
}

/** Owners who can sign in, for mail to them. */
export async function listOwners(
  db: Reader,
  resellerId: string,
  limit: number,
): Promise<{ name: string; email: string; language: Language }[]> {
  return db.many(sql`
    select p.name, p.email, p.language from membership m join person p on p.id = m.person_id
    where m.reseller_id = ${resellerId} and m.role = 'owner' and m.suspended_at is null and p.disabled_at is null
    order by m.created_at, p.id limit ${limit}`);
}
