import { type Reader, type Sql, sql, type Tx } from '@namehold/postgres';
import type { Domain } from '../../model/domain.ts';
import { domainTable } from '../../tables/domain.sql.ts';
import type { ShownAs } from '../registry/registry-contact.sql.ts';

/** No command of ours is in progress: an operation that waits for approval has not sent one. */
const idle = sql`not exists (select from operation o where o.domain_id = d.id and o.state not in ('done', 'refused', 'cancelled') and o.approval_until is null)`;

export type Compared =
  | { readonly names: 'all'; readonly butOf: readonly string[] }
  | { readonly names: 'watched' }
  | { readonly names: 'of'; readonly registryId: string };

function isWanted(wanted: Compared): Sql {
  if (wanted.names === 'watched') return sql`(d.watched or d.watched_by_operator)`;
  if (wanted.names === 'of') return sql`d.registry_id = ${wanted.registryId}`;
  return sql`d.registry_id <> all (${wanted.butOf}::text[])`;
}

/** The longest uncompared first. Domains with an open operation are left to that operation. */
export async function uncompared(db: Reader, wanted: Compared, before: Date, limit: number): Promise<Domain[]> {
  return db.many<Domain>(sql`
    select ${domainTable.of('d')} from domain d
    where d.state not in ('removed', 'pending', 'unpaid') and (d.compared_at is null or d.compared_at < ${before}) and ${isWanted(wanted)} and ${idle}
    order by d.compared_at nulls first limit ${limit}`);
}

/** Null: to be compared as soon as possible. */
export async function markCompared(tx: Tx, id: string, at: Date | null): Promise<void> {
  await tx.run(sql`update domain set compared_at = ${at} where id = ${id}`);
}

interface ComparisonRate {
  readonly watched: number;
  readonly all_seconds: number;
  readonly watched_seconds: number;
}

/**
 * The age of the oldest comparison, in seconds of business time. Every metrics scrape reads it, so each figure comes from the end of an
 * index and does not read the domains that were compared in time.
 */
export async function comparisonRate(db: Reader, now: Date): Promise<ComparisonRate> {
  const isWatched = sql`(d.watched or d.watched_by_operator)`;
  const oldest = (wanted: Sql) => sql`extract(epoch from ${now}::timestamptz - least(
    (select min(d.created_at) from domain d where d.state not in ('removed', 'pending', 'unpaid') and d.compared_at is null and ${wanted} and ${idle}),
    (select d.compared_at from domain d where d.state not in ('removed', 'pending', 'unpaid') and d.compared_at is not null and ${wanted} and ${idle}
       order by d.compared_at nulls first limit 1)))`;
  const row = await db.one<Record<keyof ComparisonRate, string | null>>(sql`
    select (select count(*) from domain d where d.state not in ('removed', 'pending', 'unpaid') and ${isWatched} and ${idle}) as watched,
      ${oldest(sql`true`)} as all_seconds, ${oldest(isWatched)} as watched_seconds`);
  const read = (value: string | null) => Math.max(0, Number(value ?? 0));
  return { watched: read(row.watched), all_seconds: read(row.all_seconds), watched_seconds: read(row.watched_seconds) };
}

export async function domainsByName(db: Reader, names: readonly string[]): Promise<Domain[]> {
  return db.many<Domain>(sql`
    select ${domainTable.columns} from domain where name = any (${names}::text[]) and state not in ('removed', 'pending', 'unpaid') order by name`);
}

export async function domainsAfter(db: Reader, afterId: string, limit: number): Promise<Domain[]> {
  return db.many<Domain>(sql`
    select ${domainTable.columns} from domain where id > ${afterId} and state not in ('removed', 'pending', 'unpaid') order by id limit ${limit}`);
}

/** By contact: its handle at this registry. */
export async function knownHandles(
  db: Reader,
  registryId: string,
  contactIds: readonly string[],
  shownAs: ShownAs,
): Promise<{ contact_id: string; handle: string }[]> {
  return db.many(sql`
    select contact_id, handle from registry_contact
    where registry_id = ${registryId} and contact_id = any (${contactIds}::bigint[]) and fingerprint <> '' and shown_as = ${shownAs}`);
}
