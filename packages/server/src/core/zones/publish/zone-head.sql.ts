import type { Name, RRset } from '@namehold/dns';
import { type Reader, sql } from '@namehold/postgres';
import type { ZoneState } from '../../model/zone.ts';
import { soaRRset } from '../soa.ts';
import { type ZoneRow, zoneTable } from '../zone.sql.ts';

/** Queries for publishers. They run with the login of background jobs, because they read zones of every reseller. */
export interface ZoneHead {
  readonly id: string;
  readonly resellerId: string;
  readonly name: Name;
  readonly serial: number;
  readonly state: ZoneState;
  readonly catalogLabel: string;
  readonly changedAt: Date;
  readonly recordCount: number;
  readonly soa: RRset;
}

export function headOf(row: ZoneRow): ZoneHead {
  const zone = { ...row, serial: Number(row.serial) };
  return {
    id: zone.id,
    resellerId: zone.reseller_id,
    name: zone.name,
    serial: zone.serial,
    state: zone.state,
    catalogLabel: zone.catalog_label,
    changedAt: zone.changed_at,
    recordCount: zone.record_count,
    soa: soaRRset(zone),
  };
}

/** Taken before a first full load; `zonesChangedSince` continues from it. */
export async function feedCursor(db: Reader): Promise<string> {
  const row = await db.one<{ cursor: string }>(sql`select pg_snapshot_xmin(pg_current_snapshot())::text as cursor`);
  return row.cursor;
}

/**
 * Zones whose last change may have become visible since the cursor was taken. A transaction that was open then has an id at or above the
 * cursor, so none is missed however late it commits; some are returned twice. Rows restored from a dump may have ids of another server's
 * future: the upper bound excludes them.
 */
export async function zonesChangedSince(
  db: Reader,
  cursor: string,
): Promise<{ readonly cursor: string; readonly zones: ZoneHead[] }> {
  const rows = await db.many<{ cursor: string } & Partial<ZoneRow>>(sql`
    select pg_snapshot_xmin(now.snapshot)::text as cursor, ${zoneTable.of('z')}
    from (select pg_current_snapshot() as snapshot) now
    left join zone z on z.changed_xid >= ${cursor}::xid8 and z.changed_xid < pg_snapshot_xmax(now.snapshot)`);
  const zones = rows.filter((row): row is { cursor: string } & ZoneRow => row.id !== null).map(headOf);
  return { cursor: rows[0]?.cursor ?? cursor, zones };
}

export async function zoneHead(db: Reader, zoneId: string): Promise<ZoneHead | undefined> {
  const row = await db.maybe<ZoneRow>(sql`select ${zoneTable.columns} from zone where id = ${zoneId}`);
  return row && headOf(row);
}

/** The served zone of this domain. */
export async function zoneHeadByName(db: Reader, name: Name): Promise<ZoneHead | undefined> {
  const row = await db.maybe<ZoneRow>(
    sql`select ${zoneTable.columns} from zone where name = ${name} and state = 'active'`,
  );
  return row && headOf(row);
}

/** Served zones in the order of their ids; start with '0'. */
export async function zoneHeads(db: Reader, page: { afterId: string; limit: number }): Promise<ZoneHead[]> {
  const rows = await db.many<ZoneRow>(sql`
    select ${zoneTable.columns} from zone where state = 'active' and id > ${page.afterId} order by id limit ${page.limit}`);
  return rows.map(headOf);
}
