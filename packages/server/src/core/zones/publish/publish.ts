import { everyTenant, type Queryable, sql } from '@namehold/base';
import { type JournalStep, type Name, parseRecord, type RR, type RRset, rrsOf } from '@namehold/dns';
import type { House } from '../../house.ts';
import { type Change, changesAfter } from '../change/change.sql.ts';
import { unpackRecords } from '../rrsets/packed.ts';
import { allRRsets, pageOfRRsets } from '../rrsets/rrset.sql.ts';
import { SOA_TTL_SECONDS, soaRRset } from '../soa.ts';
import type { JournalRecords, Zone, ZoneState } from '../zone.ts';

/** What publishers read. All of it is asked as the clockwork: zones of every reseller. */
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

export type ZoneRow = Omit<Zone, 'serial'> & { readonly serial: string };
type Row = ZoneRow;

export function headOf(row: Row): ZoneHead {
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

/** Taken before a first full load; `zonesChangedSince` goes on from it. */
export async function feedCursor(db: Queryable): Promise<string> {
  const row = await db.one<{ cursor: string }>(sql`select pg_snapshot_xmin(pg_current_snapshot())::text as cursor`);
  return row.cursor;
}

/**
 * Zones whose last change may have become visible since the cursor was taken. A transaction that was open then has a number at or
 * above the cursor, so none is missed however late it commits; some come twice. Rows restored from a dump may carry
 * numbers of another server's future: the upper bound leaves them out.
 */
export async function zonesChangedSince(
  db: Queryable,
  cursor: string,
): Promise<{ readonly cursor: string; readonly zones: ZoneHead[] }> {
  const rows = await db.many<{ cursor: string } & Partial<Row>>(sql`
    select pg_snapshot_xmin(now.snapshot)::text as cursor, z.*
    from (select pg_current_snapshot() as snapshot) now
    left join zone z on z.changed_xid >= ${cursor}::xid8 and z.changed_xid < pg_snapshot_xmax(now.snapshot)`);
  const zones = rows.filter((row): row is { cursor: string } & Row => row.id !== null).map(headOf);
  return { cursor: rows[0]?.cursor ?? cursor, zones };
}

export async function zoneHead(db: Queryable, zoneId: string): Promise<ZoneHead | undefined> {
  const row = await db.maybe<Row>(sql`select * from zone where id = ${zoneId}`);
  return row && headOf(row);
}

/** The served zone of this name. */
export async function zoneHeadByName(db: Queryable, name: Name): Promise<ZoneHead | undefined> {
  const row = await db.maybe<Row>(sql`select * from zone where name = ${name} and state = 'active'`);
  return row && headOf(row);
}

/** Served zones in the order of their ids; begin with '0'. */
export async function zoneHeads(db: Queryable, page: { afterId: string; limit: number }): Promise<ZoneHead[]> {
  const rows = await db.many<Row>(sql`
    select * from zone where state = 'active' and id > ${page.afterId} order by id limit ${page.limit}`);
  return rows.map(headOf);
}

/** All of a zone but its SOA. */
export function zoneRRsets(db: Queryable, zoneId: string): Promise<RRset[]> {
  return allRRsets(db, zoneId);
}

/** Many small zones in one round trip. A zone without records has no entry. */
export async function rrsetsOfZones(db: Queryable, zoneIds: readonly string[]): Promise<Map<string, RRset[]>> {
  const rows = await db.many<{
    zone_id: string;
    name: string;
    type: string;
    ttl: number;
    records: string[];
    wire: Buffer;
  }>(sql`
    select zone_id, name, type, ttl, records, wire from zone_rrset where zone_id = any(${zoneIds}::bigint[])`);
  const zones = new Map<string, RRset[]>();
  for (const { zone_id, name, type, ttl, records, wire } of rows) {
    const sets = zones.get(zone_id);
    const set = { name, type, ttl, records: unpackRecords(records, wire) };
    if (sets) sets.push(set);
    else zones.set(zone_id, [set]);
  }
  return zones;
}

const streamPageRRsets = 2_000;

/** In pages, for zones too large to hold. Over several statements: run it in a `repeatable read` transaction for one moment's content. */
export async function* streamZone(db: Queryable, zoneId: string, pageSize = streamPageRRsets): AsyncGenerator<RRset> {
  let after: { name: Name; type: string } | undefined;
  for (;;) {
    const page = await pageOfRRsets(db, zoneId, { limit: pageSize, ...(after ? { after } : {}) });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = { name: last.name, type: last.type };
  }
}

/** Head and content as they were at one moment. */
export async function zoneSnapshot(
  house: Pick<House, 'db'>,
  name: Name,
): Promise<{ readonly head: ZoneHead; readonly rrsets: RRset[] } | undefined> {
  return house.db.transaction(everyTenant, async (tx) => {
    await tx.run(sql`set transaction isolation level repeatable read, read only`);
    const head = await zoneHeadByName(tx, name);
    return head && { head, rrsets: await allRRsets(tx, head.id) };
  });
}

/** The steps from a held serial to now, for IXFR: none where it is current, undefined where only a full transfer can help. */
export async function journalSince(
  db: Queryable,
  zone: Pick<ZoneHead, 'id' | 'name' | 'serial'>,
  serial: number,
): Promise<JournalStep[] | undefined> {
  if (serial === zone.serial) return [];
  const changes = await changesAfter(db, zone.id, serial);
  if (!changes || changes.some((change) => change.serial_from === null)) return undefined;
  // The head may be of an earlier moment than the journal: what came after it belongs to the next transfer.
  const upTo = changes.findIndex((change) => change.serial_to === zone.serial);
  return upTo < 0 ? undefined : changes.slice(0, upTo + 1).map((change) => stepOf(zone.name, change));
}

function stepOf(zone: Name, change: Change): JournalStep {
  const soa = (text: string): RR =>
    [...rrsOf(textRRset({ name: zone, type: 'SOA', ttl: SOA_TTL_SECONDS, records: [text] }))][0]!;
  return {
    oldSoa: soa(change.soa_from!),
    newSoa: soa(change.soa_to),
    deleted: { [Symbol.iterator]: () => recordsOf(change.deleted) },
    added: { [Symbol.iterator]: () => recordsOf(change.added) },
  };
}

/** Read from their text one by one, as they are sent. */
function* recordsOf(sets: readonly JournalRecords[]): Generator<RR> {
  for (const set of sets) yield* rrsOf(textRRset(set));
}

/** From the journal's canonical text back to a set with its octets. */
export function textRRset(set: JournalRecords): RRset {
  const records = set.records.map((text) => {
    const { wire } = parseRecord(set.type, text);
    return { text, wire };
  });
  return { name: set.name, type: set.type, ttl: set.ttl, records };
}
