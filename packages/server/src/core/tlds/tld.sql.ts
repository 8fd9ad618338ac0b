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

/** One load at a time; returns the checksum of the last one. */
export async function lockCatalogue(tx: Tx): Promise<string | undefined> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtext('tld_catalogue'))`);
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
    select distinct rules -> 'extra_schema' as fields from tld where jsonb_typeof(rules -> 'extra_schema') = 'object'`);
  return rows.map(({ fields }) => fields);
}
