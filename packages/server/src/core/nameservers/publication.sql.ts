import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { PayloadOf } from '../events/catalogue.ts';

/** A zone for which a nameserver is not known to answer with the present serial. */
interface BehindRow {
  readonly zone_id: string;
  readonly name: string;
  readonly serial: string;
  readonly changed_at: Date;
  readonly nameserver_id: string;
}

/** Keyset pagination by zone. */
export async function behindRows(db: Reader, afterZoneId: string, limit: number): Promise<BehindRow[]> {
  return db.many<BehindRow>(sql`
    select z.id as zone_id, z.name, z.serial, z.changed_at, n.id as nameserver_id
    from zone z cross join nameserver n
    left join zone_publication p on p.zone_id = z.id and p.nameserver_id = n.id
    where z.state = 'active' and n.is_active and z.id > ${afterZoneId} and p.serial is distinct from z.serial
    order by z.id limit ${limit}`);
}

/** Result of one query to a nameserver. */
export interface Observation {
  readonly zoneId: string;
  readonly nameserverId: string;
  readonly serial: number | null;
  readonly at: Date;
  readonly error: string | null;
  /** Delay between the change and this observation, if the serial is current. */
  readonly lagMs?: number;
}

/** The first observation of this serial at the nameserver. */
export interface NewSerial {
  readonly zone_id: string;
  readonly nameserver_id: string;
}

export async function saveObservations(tx: Tx, seen: readonly Observation[]): Promise<NewSerial[]> {
  return tx.many<NewSerial>(sql`
    with saved as (
    insert into zone_publication (zone_id, nameserver_id, reseller_id, serial, published_at, checked_at, error)
    select z.id, n.id, z.reseller_id, s.serial, case when s.serial is not null then s.at end, s.at, s.error
    from unnest(${seen.map((s) => s.zoneId)}::bigint[], ${seen.map((s) => s.nameserverId)}::text[], ${seen.map((s) => s.serial)}::bigint[],
                ${seen.map((s) => s.at)}::timestamptz[], ${seen.map((s) => s.error)}::text[])
         as s (zone_id, nameserver_id, serial, at, error)
    join zone z on z.id = s.zone_id and z.state = 'active' join nameserver n on n.id = s.nameserver_id
    order by z.id, n.id
    on conflict (zone_id, nameserver_id) do update set
      serial = coalesce(excluded.serial, zone_publication.serial),
      published_at = case when excluded.serial is null or excluded.serial = zone_publication.serial
        then zone_publication.published_at else excluded.published_at end,
      checked_at = excluded.checked_at, error = excluded.error
    returning zone_id, nameserver_id, published_at, checked_at)
    select zone_id, nameserver_id from saved where published_at = checked_at`);
}

interface PublishedRow {
  readonly zone_id: string;
  readonly reseller_id: string;
  readonly domain_id: string;
  readonly name: string;
  readonly serial: string;
}

/** Of these zones, those that every active nameserver has now and that were not reported before. */
export async function markPublished(tx: Tx, zoneIds: readonly string[], now: Date): Promise<PublishedRow[]> {
  return tx.many<PublishedRow>(sql`
    with newly as (
      insert into zone_published (zone_id, reseller_id, serial, published_at)
      select z.id, z.reseller_id, z.serial, ${now} from zone z
      where z.id = any (${zoneIds}::bigint[]) and z.state = 'active' and exists (select from nameserver where is_active)
        and not exists (
          select from nameserver n left join zone_publication p on p.nameserver_id = n.id and p.zone_id = z.id
          where n.is_active and p.serial is distinct from z.serial)
      order by z.id
      on conflict (zone_id) do update set serial = excluded.serial, published_at = excluded.published_at
        where zone_published.serial <> excluded.serial
      returning zone_id, serial)
    select newly.zone_id, newly.serial, z.reseller_id, z.domain_id, z.name
    from newly join zone z on z.id = newly.zone_id order by z.reseller_id, z.id`);
}

/** Appends all events in one statement, ordered by reseller, so that concurrent writers cannot deadlock on the counters. */
export async function appendPublished(tx: Tx, zones: readonly PublishedRow[], at: Date): Promise<void> {
  const payloadOf = ({ domain_id, name, serial }: PublishedRow): PayloadOf<'zone.published'> => ({
    domain_id,
    domain_name: name.slice(0, -1),
    serial: Number(serial),
  });
  const payloads = zones.map((zone) => JSON.stringify(payloadOf(zone)));
  await tx.run(sql`
    select append_event(p.reseller_id, ${at}::timestamptz, 'zone.published', 'zone', p.domain_id, null, p.payload)
    from unnest(${zones.map((zone) => zone.reseller_id)}::bigint[], ${zones.map((zone) => zone.domain_id)}::text[], ${payloads}::jsonb[])
      as p (reseller_id, domain_id, payload)`);
}

/** Removes the state of zones that are no longer served, so that they start anew if they return. */
export async function purgePublications(tx: Tx, zoneIds: readonly string[]): Promise<void> {
  await tx.run(sql`delete from zone_publication where zone_id = any (${zoneIds}::bigint[])`);
  await tx.run(sql`delete from zone_published where zone_id = any (${zoneIds}::bigint[])`);
}

/** The sample is drawn from this many times more rows, because rows of one table page are not independent. */
const drawnFrom = 5;

/** Zones for a comparison: all if there are few, otherwise rows of sampled table pages, which avoids a full scan. */
export async function sampleZones(db: Reader, count: number): Promise<{ id: string; name: string }[]> {
  const few = await db.many<{ id: string; name: string }>(
    sql`select id, name from zone where state = 'active' limit ${count + 1}`,
  );
  if (few.length <= count) return few;
  const { share } = await db.one<{ share: number }>(sql`
    select least(100, 100.0 * ${count}::int * ${drawnFrom}::int / greatest(reltuples, 1))::float8 as share
    from pg_class where oid = 'zone'::regclass`);
  return db.many<{ id: string; name: string }>(sql`
    select id, name from zone tablesample system (${share}::float8) where state = 'active' order by random() limit ${count}`);
}

/** Number of zones, and how many of them each nameserver has. */
export async function publicationCounts(db: Reader): Promise<{ zones: number; current: Map<string, number> }> {
  const { zones } = await db.one<{ zones: number }>(
    sql`select count(*)::integer as zones from zone where state = 'active'`,
  );
  const rows = await db.many<{ nameserver_id: string; current: number }>(sql`
    select p.nameserver_id, count(*)::integer as current from zone_publication p
    join zone z on z.id = p.zone_id and z.state = 'active' and z.serial = p.serial group by p.nameserver_id`);
  return { zones, current: new Map(rows.map((row) => [row.nameserver_id, row.current])) };
}
