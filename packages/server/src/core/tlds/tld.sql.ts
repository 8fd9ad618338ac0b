import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Tld, TldRules } from '../model/tld.ts';
import type { StatedFields } from '../ports/tld-fields.ts';

export interface TldRow {
  readonly name: string;
  readonly label: string;
  readonly registry: string | null;
  readonly is_offered: boolean;
  readonly rules: TldRules;
}

const columns = sql.raw('name, label, registry, is_offered, catalogue_version, rules, updated_at');

export async function findTld(db: Reader, name: string): Promise<Tld | undefined> {
  return db.maybe<Tld>(sql`select ${columns} from tld where name = ${name}`);
}

/** At this registry; those of the route if the catalogue has no entry for it. */
export async function findRules(db: Reader, name: string, registryId: string): Promise<TldRules | undefined> {
  const row = await db.maybe<{ rules: TldRules }>(sql`
    select coalesce(a.rules, t.rules) as rules from tld t left join tld_alternative a on a.tld = t.name and a.registry_id = ${registryId}
    where t.name = ${name}`);
  return row?.rules;
}

export async function listTlds(db: Reader): Promise<Tld[]> {
  return db.many<Tld>(sql`select ${columns} from tld where is_offered order by name`);
}

/** The own rules of each TLD about the end of a term, including TLDs that are no longer offered. */
export async function expirySettings(
  db: Reader,
): Promise<({ readonly name: string } & Pick<TldRules, 'expiry_notice_days' | 'interruption_days'>)[]> {
  const rows = await db.many<{ name: string; notices: number[] | null; interruption: number | null }>(sql`
    select name, rules -> 'expiry_notice_days' as notices, (rules ->> 'interruption_days')::int as interruption from tld order by name`);
  return rows.map(({ name, notices, interruption }) => ({
    name,
    expiry_notice_days: notices ?? undefined,
    interruption_days: interruption ?? undefined,
  }));
}

/** Those of these TLDs that are not offered. */
export async function missingTlds(db: Reader, names: readonly string[]): Promise<string[]> {
  const rows = await db.many<{ name: string }>(sql`
    select n.name from unnest(${names}::text[]) as n (name)
    where not exists (select from tld t where t.name = n.name and t.is_offered) order by n.name`);
  return rows.map((row) => row.name);
}

export interface TldRoute {
  readonly registry_id: string | null;
  /** Registries with rules and costs of their own. */
  readonly alternatives: readonly string[];
}

/** By TLD. */
export async function tldRoutes(db: Reader): Promise<Map<string, TldRoute>> {
  const rows = await db.many<TldRoute & { tld: string }>(sql`
    select s.tld, r.registry_id, array(select a.registry_id from tld_alternative a where a.tld = s.tld order by 1) as alternatives
    from (select tld from registry_tld union select tld from tld_alternative) s left join registry_tld r on r.tld = s.tld`);
  return new Map(rows.map(({ tld, ...route }) => [tld, route]));
}

export interface AlternativeRules {
  readonly name: string;
  readonly registry: string;
  readonly rules: TldRules;
}

/** Rules of an alternative that the catalogue omits stay. */
export async function setAlternativeRules(tx: Tx, rows: readonly AlternativeRules[]): Promise<number> {
  return tx.run(sql`
    update tld_alternative a set rules = r.rules
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (name text, registry text, rules jsonb)
    where a.tld = r.name and a.registry_id = r.registry and a.rules is distinct from r.rules`);
}

export async function listAlternatives(db: Reader): Promise<AlternativeRules[]> {
  return db.many<AlternativeRules>(sql`
    select a.tld as name, a.registry_id as registry, a.rules from tld_alternative a join tld t on t.name = a.tld and t.is_offered
    where a.rules is not null and a.can_route order by 1, 2`);
}

/** Of the last load. */
export async function lastChecksum(tx: Tx): Promise<string | undefined> {
  const row = await tx.maybe<{ checksum: string }>(
    sql`select checksum from tld_catalogue order by version desc limit 1`,
  );
  return row?.checksum;
}

export async function insertCatalogue(tx: Tx, source: string, checksum: string, now: Date): Promise<number> {
  const row = await tx.one<{ version: number }>(sql`
    insert into tld_catalogue (source, checksum, loaded_at) values (${source}, ${checksum}, ${now}) returning version`);
  return row.version;
}

/** Only rows that differ take the new version. */
export async function upsertTlds(tx: Tx, rows: readonly TldRow[], version: number, now: Date): Promise<number> {
  return tx.run(sql`
    insert into tld as t (name, label, catalogue_version, registry, is_offered, rules, updated_at)
    select r.name, r.label, ${version}::int, r.registry, r.is_offered, r.rules, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (name text, label text, registry text, is_offered boolean, rules jsonb)
    on conflict (name) do update set label = excluded.label, catalogue_version = excluded.catalogue_version, registry = excluded.registry,
      is_offered = excluded.is_offered, rules = excluded.rules, updated_at = excluded.updated_at
    where (t.label, t.registry, t.is_offered, t.rules) is distinct from (excluded.label, excluded.registry, excluded.is_offered, excluded.rules)`);
}

/** A TLD that the new catalogue omits is no longer offered; its domains keep their rules. */
export async function withdrawOthers(tx: Tx, names: readonly string[], version: number, now: Date): Promise<number> {
  return tx.run(sql`
    update tld set is_offered = false, catalogue_version = ${version}, updated_at = ${now} where is_offered and not name = any (${names}::text[])`);
}

/** The origin of the present catalogue. */
export async function catalogueSource(db: Reader): Promise<string | undefined> {
  const row = await db.maybe<{ source: string }>(sql`select source from tld_catalogue order by version desc limit 1`);
  return row?.source;
}

/** Additional fields that the catalogue itself states, also of TLDs that are no longer offered. */
export async function statedFields(db: Reader): Promise<StatedFields[]> {
  const rows = await db.many<{ fields: StatedFields }>(sql`
    select distinct rules -> 'extra_schema' as fields from (select rules from tld union all select rules from tld_alternative) each
    where jsonb_typeof(rules -> 'extra_schema') = 'object'`);
  return rows.map(({ fields }) => fields);
}
