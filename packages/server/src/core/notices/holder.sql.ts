import { type Reader, sql } from '@namehold/base';
import type { RecipientRow } from './notify.ts';

export interface HolderRow extends RecipientRow {
  readonly id: string;
  readonly company: string;
}

export async function findHolder(db: Reader, resellerId: string, contactId: string): Promise<HolderRow | undefined> {
  return db.maybe<HolderRow>(sql`
    select id, name, company, email, country_code from contact where id = ${contactId} and reseller_id = ${resellerId}`);
}

export async function findOwner(db: Reader, resellerId: string): Promise<RecipientRow | undefined> {
  return db.maybe<RecipientRow>(sql`
    select name, email, country_code from reseller where id = ${resellerId} and deleted_at is null`);
}
