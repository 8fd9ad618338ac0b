import type { Name } from '@namehold/dns';
import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { ManagingService, StoredRRset, Zone } from '../../model/zone.ts';
import { packRecords, unpackRecords } from './packed.ts';

interface Row {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly records: string[];
  readonly wire: Buffer;
  readonly managed_by: ManagingService | null;
}

const rrsetOf = (row: Row): StoredRRset => ({
  name: row.name,
  type: row.type,
  ttl: row.ttl,
  records: unpackRecords(row.records, row.wire),
  ...(row.managed_by ? { managedBy: row.managed_by } : {}),
});

/** All RRsets at these names. */
export async function rrsetsAt(db: Reader, zoneId: string, names: readonly Name[]): Promise<StoredRRset[]> {
  const rows = await db.many<Row>(sql`
    select name, type, ttl, records, wire, managed_by from zone_rrset where zone_id = ${zoneId} and name = any(${names}::text[])`);
  return rows.map(rrsetOf);
}

/** The whole zone except its SOA. */
export async function allRRsets(db: Reader, zoneId: string): Promise<StoredRRset[]> {
  const rows = await db.many<Row>(sql`
    select name, type, ttl, records, wire, managed_by from zone_rrset where zone_id = ${zoneId} order by name, type`);
  return rows.map(rrsetOf);
}

export async function rrsetsOfTypes(
  db: Reader,
  zoneId: string,
  types: readonly string[],
  limit: number,
): Promise<StoredRRset[]> {
  const rows = await db.many<Row>(sql`
    select name, type, ttl, records, wire, managed_by from zone_rrset
    where zone_id = ${zoneId} and type = any(${types}::text[]) order by name, type limit ${limit}`);
  return rows.map(rrsetOf);
}

/** A sample from the whole zone. */
export async function spreadRRsets(db: Reader, zoneId: string, count: number): Promise<StoredRRset[]> {
  const rows = await db.many<Row>(sql`
    select name, type, ttl, records, wire, managed_by from (
      select name, type, ttl, records, wire, managed_by, row_number() over (order by name, type) - 1 as n, count(*) over () as total
      from zone_rrset where zone_id = ${zoneId}) numbered
    where n % greatest(1, total / ${count}) = 0 order by n limit ${count}`);
  return rows.map(rrsetOf);
}

interface RRsetFilter {
  readonly name?: Name;
  readonly type?: string;
  readonly after?: { readonly name: Name; readonly type: string };
  readonly limit: number;
}

export async function pageOfRRsets(db: Reader, zoneId: string, filter: RRsetFilter): Promise<StoredRRset[]> {
  const rows = await db.many<Row>(sql`
    select name, type, ttl, records, wire, managed_by from zone_rrset
    where zone_id = ${zoneId} and (${filter.name ?? null}::text is null or name = ${filter.name ?? null})
      and (${filter.type ?? null}::text is null or type = ${filter.type ?? null})
      and (name, type) > (${filter.after?.name ?? ''}, ${filter.after?.type ?? ''})
    order by name, type limit ${filter.limit}`);
  return rows.map(rrsetOf);
}

/** NS and MX RRsets that point to one of the hosts, or to a name right below one of the parents. */
export async function pointersTo(
  db: Reader,
  zoneId: string,
  hosts: readonly Name[],
  parents: readonly Name[],
): Promise<StoredRRset[]> {
  const rows = await db.many<Row>(sql`
    select name, type, ttl, records, wire, managed_by from zone_rrset
    where zone_id = ${zoneId} and type in ('NS', 'MX') and exists (
      select from unnest(records) record, regexp_replace(record, '^[0-9]+ ', '') target
      where target = any(${hosts}::text[]) or regexp_replace(target, '^[^.]*[.]', '') = any(${parents}::text[]))`);
  return rows.map(rrsetOf);
}

/** One name below this one, if there is any. Reads the names of the whole zone, so it is only used for a DNAME. */
export async function someNameBelow(db: Reader, zoneId: string, name: Name): Promise<Name | undefined> {
  const row = await db.maybe<{ name: string }>(sql`
    select name from zone_rrset where zone_id = ${zoneId} and right(name, ${name.length + 1}) = ${`.${name}`} limit 1`);
  return row?.name;
}

/** TXT and CNAME records of the owner at this name or directly below it, by name. */
export async function textsBelow(db: Reader, zoneId: string, name: Name, limit: number): Promise<Name[]> {
  const rows = await db.many<{ name: Name }>(sql`
    select distinct name from zone_rrset where zone_id = ${zoneId} and type in ('TXT', 'CNAME') and managed_by is null
      and right(name, ${name.length + 1}) = ${`.${name}`} order by name limit ${limit}`);
  return rows.map((row) => row.name);
}

export async function putRRsets(
  tx: Tx,
  zone: Pick<Zone, 'id' | 'reseller_id'>,
  rrsets: readonly StoredRRset[],
): Promise<void> {
  if (rrsets.length === 0) return;
  await tx.run(sql`
    insert into zone_rrset (zone_id, reseller_id, name, type, ttl, records, wire, managed_by)
    select ${zone.id}, ${zone.reseller_id}, name, type, ttl, array(select jsonb_array_elements_text(texts::jsonb)), wire, managed_by
    from unnest(${rrsets.map((set) => set.name)}::text[], ${rrsets.map((set) => set.type)}::text[], ${rrsets.map((set) => set.ttl)}::integer[],
                ${rrsets.map((set) => JSON.stringify(set.records.map((record) => record.text)))}::text[],
                ${rrsets.map((set) => packRecords(set.records))}::bytea[], ${rrsets.map((set) => set.managedBy ?? null)}::text[])
      as given (name, type, ttl, texts, wire, managed_by)
    on conflict (zone_id, name, type) do update
      set ttl = excluded.ttl, records = excluded.records, wire = excluded.wire, managed_by = excluded.managed_by`);
}

export async function removeRRsets(
  tx: Tx,
  zone: Pick<Zone, 'id'>,
  keys: readonly { readonly name: Name; readonly type: string }[],
): Promise<void> {
  if (keys.length === 0) return;
  await tx.run(sql`
    delete from zone_rrset r using unnest(${keys.map((key) => key.name)}::text[], ${keys.map((key) => key.type)}::text[]) as gone (name, type)
    where r.zone_id = ${zone.id} and r.name = gone.name and r.type = gone.type`);
}
