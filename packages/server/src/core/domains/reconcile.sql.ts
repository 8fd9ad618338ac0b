import { type Queryable, sql } from '@namehold/base';
import type { Domain } from './domain.ts';
import type { ShownAs } from './registry-contact.sql.ts';

/** Longest unseen first; names with an operation under way are its business. */
export async function unseenDomains(db: Queryable, before: Date, limit: number): Promise<Domain[]> {
  return db.many<Domain>(sql`
    select d.* from domain d
    where d.state not in ('removed', 'pending') and (d.synced_at is null or d.synced_at < ${before})
      and not exists (select from operation o where o.domain_id = d.id and o.state not in ('done', 'refused', 'cancelled'))
    order by d.synced_at nulls first limit ${limit}`);
}

export async function domainsByName(db: Queryable, names: readonly string[]): Promise<Domain[]> {
  return db.many<Domain>(sql`
    select * from domain where name = any (${names}::text[]) and state not in ('removed', 'pending') order by name`);
}

export async function domainsAfter(db: Queryable, afterId: string, limit: number): Promise<Domain[]> {
  return db.many<Domain>(sql`
    select * from domain where id > ${afterId} and state not in ('removed', 'pending') order by id limit ${limit}`);
}

/** By contact: the handle under which this registry knows it. */
export async function knownHandles(
  db: Queryable,
  registryId: string,
  contactIds: readonly string[],
  shownAs: ShownAs,
): Promise<{ contact_id: string; handle: string }[]> {
  return db.many(sql`
    select contact_id, handle from registry_contact
    where registry_id = ${registryId} and contact_id = any (${contactIds}::bigint[]) and fingerprint <> '' and shown_as = ${shownAs}`);
}
