import { type Queryable, sql } from '@namehold/base';
import type { RRset } from '@namehold/dns';
import { unpackRecords } from '../zones/packed.ts';

/** Those of the named RRsets that the zone has. */
export async function rrsetsAt(
  db: Queryable,
  zoneId: string,
  wanted: readonly { readonly name: string; readonly type: string }[],
): Promise<RRset[]> {
  const rows = await db.many<{ name: string; type: string; ttl: number; records: string[]; wire: Buffer }>(sql`
    select r.name, r.type, r.ttl, r.records, r.wire from zone_rrset r
    join unnest(${wanted.map((w) => w.name)}::text[], ${wanted.map((w) => w.type)}::text[]) as w (name, type)
      on w.name = r.name and w.type = r.type
    where r.zone_id = ${zoneId}`);
  return rows.map(({ name, type, ttl, records, wire }) => ({ name, type, ttl, records: unpackRecords(records, wire) }));
}
