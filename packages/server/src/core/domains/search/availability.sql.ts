import { type Reader, sql } from '@namehold/postgres';
import type { Tld } from '../../model/tld.ts';
import { holdsName } from '../../tables/domain.sql.ts';

export interface ServedTld extends Tld {
  readonly registry_id: string;
}

/** The suffixes that are offered, each with its registry. */
export async function offeredTlds(db: Reader, suffixes: readonly string[]): Promise<Map<string, ServedTld>> {
  const rows = await db.many<ServedTld>(sql`
    select t.name, t.label, t.registry, t.is_offered, t.catalogue_version, t.rules, t.updated_at, s.registry_id
    from registry_tld s join registry r on r.id = s.registry_id and r.is_active join tld t on t.name = s.tld and t.is_offered
    where s.tld = any (${suffixes}::text[])`);
  return new Map(rows.map((row) => [row.name, row]));
}

/**
 * Domains of the reseller or any account below it, including pending ones. The query reads every tenant, but returns only the caller's
 * own tree.
 */
export async function namesInTree(db: Reader, resellerId: string, names: readonly string[]): Promise<Set<string>> {
  const rows = await db.many<{ name: string }>(sql`
    with recursive tree as (
      select id from reseller where id = ${resellerId}
      union all select r.id from reseller r join tree on r.parent_id = tree.id
    )
    select d.name from domain d where d.name = any (${names}::text[]) and d.state not in ('removed', 'unpaid') and d.reseller_id in (select id from tree)`);
  return new Set(rows.map((row) => row.name));
}

export async function namesOfCustomer(db: Reader, customerId: string, names: readonly string[]): Promise<Set<string>> {
  const rows = await db.many<{ name: string }>(sql`
    select d.name from domain d
    where d.name = any (${names}::text[]) and d.state not in ('removed', 'unpaid') and d.customer_id = ${customerId}`);
  return new Set(rows.map((row) => row.name));
}

/** Of a customer that acts itself: only its own domain. */
export async function ownDomainId(
  db: Reader,
  { resellerId, customerId }: { readonly resellerId: string; readonly customerId?: string | undefined },
  name: string,
): Promise<string | undefined> {
  const row = await db.maybe<{ id: string }>(sql`
    select id from domain where name = ${name} and reseller_id = ${resellerId} and state not in ('removed', 'unpaid')
      and (${customerId ?? null}::bigint is null or customer_id = ${customerId ?? null}::bigint)
      and not (state = 'pending' and (transfer ->> 'status') is not distinct from 'code_refused')
    order by id limit 1`);
  return row?.id;
}

/** The domain names that are neither active nor on order in any account. */
export async function namesUnknownHere(db: Reader, names: readonly string[]): Promise<Set<string>> {
  const rows = await db.many<{ name: string }>(sql`
    select n.name from unnest(${names}::text[]) as n (name)
    where not exists (select from domain d where d.name = n.name and ${holdsName('d')})`);
  return new Set(rows.map((row) => row.name));
}
