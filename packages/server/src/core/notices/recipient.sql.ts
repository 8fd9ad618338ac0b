import { type Reader, sql } from '@namehold/base';
import type { RecipientRow } from './notify.ts';

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
