import { type Reader, sql } from '@namehold/base';
import type { RecipientRow } from './notify.ts';

export async function findHolder(
  db: Reader,
  resellerId: string,
  contactId: string,
): Promise<(RecipientRow & { readonly id: string }) | undefined> {
  return db.maybe<RecipientRow & { readonly id: string }>(sql`
    select id, name, email, country_code from contact where id = ${contactId} and reseller_id = ${resellerId}`);
}

export async function findOwner(db: Reader, resellerId: string): Promise<RecipientRow | undefined> {
  return db.maybe<RecipientRow>(sql`
    select name, email, country_code from reseller where id = ${resellerId} and deleted_at is null`);
}
