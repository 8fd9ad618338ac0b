import type { RecordData, RRset } from '@namehold/dns';
import { type Reader, type Sql, sql, type Tx } from '@namehold/postgres';
import { type ZoneRow, zoneTable } from '../zone.sql.ts';
import { headOf, type ZoneHead } from './zone-head.sql.ts';

interface RRsetColumns {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly wire: Buffer;
}

/** Only the wire format is read, without the text. */
function rrsetOf({ name, type, ttl, wire }: RRsetColumns): RRset {
  const records: RecordData[] = [];
  for (let at = 0; at < wire.length; ) {
    const end = at + 2 + wire.readUInt16BE(at);
    records.push({ text: '', wire: wire.subarray(at + 2, end) });
    at = end;
  }
  return { name, type, ttl, records };
}

/** Those of the named RRsets that exist in the zone. */
export async function rrsetsAt(
  db: Reader,
  zoneId: string,
  wanted: readonly { readonly name: string; readonly type: string }[],
): Promise<RRset[]> {
  const rows = await db.many<RRsetColumns>(sql`
    select r.name, r.type, r.ttl, r.wire from zone_rrset r
    join unnest(${wanted.map((w) => w.name)}::text[], ${wanted.map((w) => w.type)}::text[]) as w (name, type)
      on w.name = r.name and w.type = r.type
    where r.zone_id = ${zoneId}`);
  return rows.map(rrsetOf);
}

interface WholeZone {
  readonly head: ZoneHead;
  /** Without the SOA. Empty if the zone has more records than the limit. */
  readonly rrsets: RRset[];
  readonly isTooLarge: boolean;
}

type Joined = ZoneRow & { [K in keyof RRsetColumns as `r_${K}`]: RRsetColumns[K] | null };

/** Heads with their content in one statement, which gives a consistent snapshot. */
async function wholeZones(db: Reader, which: Sql, maxRecords: number): Promise<WholeZone[]> {
  const rows = await db.many<Joined>(sql.kept`
    select ${zoneTable.of('z')}, r.name as r_name, r.type as r_type, r.ttl as r_ttl, r.wire as r_wire
    from zone z left join zone_rrset r on r.zone_id = z.id and z.state = 'active' and z.record_count <= ${maxRecords}
    where ${which}`);
  const zones = new Map<string, WholeZone>();
  for (const row of rows) {
    let zone = zones.get(row.id);
    if (!zone) {
      zone = { head: headOf(row), rrsets: [], isTooLarge: row.record_count > maxRecords };
      zones.set(row.id, zone);
    }
    const { r_name: name, r_type: type, r_ttl: ttl, r_wire: wire } = row;
    if (name !== null && type !== null && ttl !== null && wire !== null)
      zone.rrsets.push(rrsetOf({ name, type, ttl, wire }));
  }
  return [...zones.values()];
}

export async function wholeZoneByName(db: Reader, name: string, maxRecords: number): Promise<WholeZone | undefined> {
  const [zone] = await wholeZones(db, sql`z.name = ${name} and z.state = 'active'`, maxRecords);
  return zone;
}

export function wholeZonesById(db: Reader, ids: readonly string[], maxRecords: number): Promise<WholeZone[]> {
  // The server caches the plan for one id; for a list it plans each time.
  const which = ids.length === 1 ? sql`z.id = ${ids[0]}` : sql`z.id = any (${ids}::bigint[])`;
  return wholeZones(db, which, maxRecords);
}

/** The content of many small zones, without their SOAs. */
export async function rrsetsOfZones(db: Reader, ids: readonly string[]): Promise<Map<string, RRset[]>> {
  const rows = await db.many<RRsetColumns & { zone_id: string }>(
    sql`select zone_id, name, type, ttl, wire from zone_rrset where zone_id = any (${ids}::bigint[])`,
  );
  const zones = new Map<string, RRset[]>();
  for (const row of rows) {
    const sets = zones.get(row.zone_id);
    if (sets) sets.push(rrsetOf(row));
    else zones.set(row.zone_id, [rrsetOf(row)]);
  }
  return zones;
}

/** Number of records that the journal changed since a serial. */
export async function movedSince(db: Reader, zoneId: string, serial: number): Promise<number> {
  const row = await db.one<{ moved: string }>(sql`
    select coalesce(sum(c.deleted_count + c.added_count), 0) as moved from zone_change c
    where c.zone_id = ${zoneId} and c.id > (select h.id from zone_change h where h.zone_id = ${zoneId} and h.serial_to = ${serial})`);
  return Number(row.moved);
}

const rrsetsPerFetch = 2_000;

/** A large zone in pieces, without its SOA. A cursor avoids a new index search for each piece. */
export async function* streamRRsets(tx: Tx, zoneId: string): AsyncGenerator<RRset> {
  const id = sql.raw(BigInt(zoneId).toString());
  await tx.run(sql`
    declare transferred_zone no scroll cursor for select name, type, ttl, wire from zone_rrset where zone_id = ${id}`);
  for (;;) {
    const rows = await tx.many<RRsetColumns>(sql`fetch ${sql.raw(String(rrsetsPerFetch))} from transferred_zone`);
    for (const row of rows) yield rrsetOf(row);
    if (rows.length < rrsetsPerFetch) break;
  }
  // Closes the cursor, so that the transaction can read the next zone.
  await tx.run(sql`close transferred_zone`);
}
