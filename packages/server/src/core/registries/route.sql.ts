import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { TldRules } from '../model/tld.ts';
import { servedTlds } from '../tables/tld-registry.sql.ts';

/** Until the transaction ends, no route changes. Changes of routes, and of what depends on them, wait for each other. */
export async function lockRoutes(tx: Tx, mode: 'change' | 'keep'): Promise<void> {
  const lock = sql.raw(mode === 'change' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared');
  await tx.run(sql`select ${lock}(hashtext('tld_catalogue'))`);
}

/** Whether the route of the TLD leads to the registry, or may be set to it. */
export async function servesTld(db: Reader, registryId: string, tld: string): Promise<boolean> {
  const row = await db.maybe(
    sql`select 1 as one from ${servedTlds} s where s.tld = ${tld} and s.registry_id = ${registryId} limit 1`,
  );
  return row !== undefined;
}

export interface RegistryOfTld {
  readonly registry_id: string;
  readonly is_route: boolean;
  /** The currency in which it charges, if that is stated. */
  readonly currency: string | null;
}

/** By TLD: the registry of its route, then those with costs of their own. */
export async function registriesOfTlds(db: Reader): Promise<Map<string, RegistryOfTld[]>> {
  const rows = await db.many<RegistryOfTld & { tld: string }>(sql`
    select s.tld, s.registry_id, s.is_route, r.currency from (
      select tld, registry_id, true as is_route from registry_tld union all select tld, registry_id, false from tld_alternative) s
    join registry r on r.id = s.registry_id order by s.tld, s.is_route desc, s.registry_id`);
  const byTld = Map.groupBy(rows, ({ tld }) => tld);
  return new Map([...byTld].map(([tld, of]) => [tld, of.map(({ tld: _, ...place }) => place)]));
}

export interface RouteRow {
  readonly tld: string;
  /** Null: no route, so nothing can be ordered. */
  readonly registry_id: string | null;
  readonly is_offered: boolean;
  readonly alternatives: readonly string[];
  /** Present domains by registry. */
  readonly domains: Readonly<Record<string, number>>;
}

/** `tld`: only this one. */
export async function selectRoutes(db: Reader, tld: string | null): Promise<RouteRow[]> {
  return db.many<RouteRow>(sql`
    with held as (
      select tld, registry_id, count(*)::int as n from domain
      where state not in ('removed', 'unpaid') and (${tld}::text is null or tld = ${tld}) group by tld, registry_id
    )
    select s.tld, r.registry_id, coalesce((select t.is_offered from tld t where t.name = s.tld), false) as is_offered,
      array(select a.registry_id from tld_alternative a where a.tld = s.tld and a.can_route order by 1) as alternatives,
      coalesce((select jsonb_object_agg(h.registry_id, h.n) from held h where h.tld = s.tld), '{}') as domains
    from (select tld from registry_tld union select tld from tld_alternative) s left join registry_tld r on r.tld = s.tld
    where ${tld}::text is null or s.tld = ${tld} order by s.tld`);
}

/** The rules of a TLD at its route, and at an alternative. Null: the catalogue has no entry for it. */
export async function rulesOfRoutes(
  db: Reader,
  tld: string,
  registryId: string,
): Promise<{ readonly present: TldRules; readonly coming: TldRules | null } | undefined> {
  return db.maybe(sql`
    select t.rules as present, a.rules as coming from tld t left join tld_alternative a on a.tld = t.name and a.registry_id = ${registryId}
    where t.name = ${tld}`);
}

/** Unfinished orders of new domains, and transfers in, that stay at a registry. */
export async function pendingAt(db: Reader, tld: string, registryId: string): Promise<number> {
  const { n } = await db.one<{ n: string }>(
    sql`select count(*) as n from domain where tld = ${tld} and registry_id = ${registryId} and state = 'pending'`,
  );
  return Number(n);
}

/** Registries that list these TLDs without a route become alternatives. The others of the registry only keep their domains. */
export async function saveAlternatives(tx: Tx, registryId: string, tlds: readonly string[]): Promise<void> {
  await tx.run(sql`
    insert into tld_alternative (tld, registry_id, can_route) select s.tld, ${registryId}, true from registry_tld s
    where s.tld = any (${tlds}::text[]) and s.registry_id <> ${registryId}
    on conflict (tld, registry_id) do update set can_route = true`);
  await tx.run(
    sql`update tld_alternative set can_route = false where registry_id = ${registryId} and not tld = any (${tlds}::text[])`,
  );
  await tx.run(sql`
    delete from tld_alternative a where a.registry_id = ${registryId} and not a.can_route
      and not exists (select from domain d where d.tld = a.tld and d.registry_id = a.registry_id)`);
}

/** Those of these TLDs without a route of which the registry has been an alternative. */
export async function unroutedOf(tx: Tx, registryId: string, tlds: readonly string[]): Promise<string[]> {
  const rows = await tx.many<{ tld: string }>(sql`
    select tld from tld_alternative a where registry_id = ${registryId} and tld = any (${tlds}::text[])
      and not exists (select from registry_tld r where r.tld = a.tld) order by tld`);
  return rows.map(({ tld }) => tld);
}

const costColumns = sql.raw('action, years, currency, amount, valid_from, valid_to');

/**
 * Sets the route and exchanges rules and costs: those of the TLD so far stay with the registries that have its domains, and those of the
 * alternative apply to the TLD. An alternative without rules takes those of the TLD.
 */
export async function moveRoute(tx: Tx, tld: string, registryId: string, now: Date): Promise<void> {
  const { n } = await tx.one<{ n: string }>(
    sql`select count(*) as n from tld_alternative where tld = ${tld} and registry_id = ${registryId}`,
  );
  const wasAlternative = n !== '0';
  const left = sql`
    select ${tld}::text as tld, registry_id from (
      select registry_id from registry_tld where tld = ${tld}
      union select distinct registry_id from domain where tld = ${tld} and state not in ('removed', 'unpaid')) h
    where registry_id <> ${registryId}
      and not exists (select from tld_alternative a where a.tld = ${tld} and a.registry_id = h.registry_id)`;
  await tx.run(sql`
    with made as (
      insert into tld_alternative (tld, registry_id, rules, can_route)
      select l.tld, l.registry_id, (select t.rules from tld t where t.name = ${tld}),
        exists (select from registry_tld r where r.tld = ${tld} and r.registry_id = l.registry_id)
      from (${left}) l
      returning tld, registry_id
    )
    insert into tld_alternative_cost (tld, registry_id, ${costColumns})
    select m.tld, m.registry_id, ${costColumns} from made m join registry_cost c on c.tld = m.tld`);
  if (wasAlternative) {
    await tx.run(sql`delete from registry_cost where tld = ${tld}`);
    await tx.run(sql`
      insert into registry_cost (tld, ${costColumns})
      select tld, ${costColumns} from tld_alternative_cost where tld = ${tld} and registry_id = ${registryId}`);
  }
  await tx.run(sql`
    update tld set registry = case when registry is null then null else ${registryId} end, updated_at = ${now},
      rules = coalesce((select a.rules from tld_alternative a where a.tld = ${tld} and a.registry_id = ${registryId}), rules)
    where name = ${tld}`);
  await tx.run(sql`delete from tld_alternative where tld = ${tld} and registry_id = ${registryId}`);
  await tx.run(sql`
    insert into registry_tld (tld, registry_id) values (${tld}, ${registryId})
    on conflict (tld) do update set registry_id = excluded.registry_id`);
}
