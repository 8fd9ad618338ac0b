import { type Queryable, type Sql, sql } from '@namehold/base';
import type { RRset } from '@namehold/dns';
import { unpackRecords } from '../zones/packed.ts';
import { headOf, type ZoneHead, type ZoneRow } from '../zones/publish.ts';

interface RRsetColumns {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly records: string[];
  readonly wire: Buffer;
}

const rrsetOf = ({ name, type, ttl, records, wire }: RRsetColumns): RRset => ({
  name,
  type,
  ttl,
  records: unpackRecords(records, wire),
});

/** Those of the named RRsets that the zone has. */
export async function rrsetsAt(
  db: Queryable,
  zoneId: string,
  wanted: readonly { readonly name: string; readonly type: string }[],
): Promise<RRset[]> {
  const rows = await db.many<RRsetColumns>(sql`
    select r.name, r.type, r.ttl, r.records, r.wire from zone_rrset r
    join unnest(${wanted.map((w) => w.name)}::text[], ${wanted.map((w) => w.type)}::text[]) as w (name, type)
      on w.name = r.name and w.type = r.type
    where r.zone_id = ${zoneId}`);
  return rows.map(rrsetOf);
}

export interface WholeZone {
  readonly head: ZoneHead;
  /** Without the SOA; empty where the zone has more records than were asked for. */
  readonly rrsets: RRset[];
  readonly isTooLarge: boolean;
}

type Joined = ZoneRow & { [K in keyof RRsetColumns as `r_${K}`]: RRsetColumns[K] | null };

/** Heads with their content, in one statement and therefore of one moment. */
async function wholeZones(db: Queryable, which: Sql, maxRecords: number): Promise<WholeZone[]> {
  const rows = await db.many<Joined>(sql`
    select z.*, r.name as r_name, r.type as r_type, r.ttl as r_ttl, r.records as r_records, r.wire as r_wire
    from zone z left join zone_rrset r on r.zone_id = z.id and z.state = 'active' and z.record_count <= ${maxRecords}
    where ${which}`);
  const zones = new Map<string, WholeZone>();
  for (const row of rows) {
    let zone = zones.get(row.id);
    if (!zone) {
      zone = { head: headOf(row), rrsets: [], isTooLarge: row.record_count > maxRecords };
      zones.set(row.id, zone);
    }
    const { r_name: name, r_type: type, r_ttl: ttl, r_records: records, r_wire: wire } = row;
    if (name !== null && type !== null && ttl !== null && records !== null && wire !== null)
      zone.rrsets.push(rrsetOf({ name, type, ttl, records, wire }));
  }
  return [...zones.values()];
}

export async function wholeZoneByName(db: Queryable, name: string, maxRecords: number): Promise<WholeZone | undefined> {
  const [zone] = await wholeZones(db, sql`z.name = ${name} and z.state = 'active'`, maxRecords);
  return zone;
}

export function wholeZonesById(db: Queryable, ids: readonly string[], maxRecords: number): Promise<WholeZone[]> {
  return wholeZones(db, sql`z.id = any (${ids}::bigint[])`, maxRecords);
}
