import type { CatalogMember } from '@namehold/dns';
import { type Autocommit, type Reader, sql, type Tx } from '@namehold/postgres';

interface CatalogState {
  /** Without wrap-around; modulo 2^32 on the wire. */
  readonly serial: bigint;
  /** The oldest serial with known changes. */
  readonly journalFrom: bigint;
}

interface CatalogRow {
  readonly serial: string;
  readonly journal_from: string;
}

const state = (row: CatalogRow): CatalogState => ({
  serial: BigInt(row.serial),
  journalFrom: BigInt(row.journal_from),
});

export async function readCatalog(db: Reader): Promise<CatalogState | undefined> {
  const row = await db.maybe<CatalogRow>(sql`select serial, journal_from from catalog`);
  return row && state(row);
}

/** The first process that publishes creates the catalog. */
export async function beginCatalog(tx: Tx, now: Date): Promise<void> {
  const unixSeconds = Math.floor(now.getTime() / 1_000);
  await tx.run(sql`
    insert into catalog (serial, journal_from, changed_at)
    select first, first, ${now} from (select greatest(${unixSeconds}::bigint, coalesce(max(catalog_serial), 0) + 1) as first from zone_membership) f
    on conflict do nothing`);
}

/**
 * Gives all unnumbered joins and leaves the next serial and returns it. Undefined: there were none. The row of the catalog serialises
 * writers; a late writer at worst creates a serial without changes.
 */
export async function numberCatalog(alone: Autocommit, now: Date): Promise<bigint | undefined> {
  const unixSeconds = Math.floor(now.getTime() / 1_000);
  const row = await alone.maybe<{ serial: string }>(sql`
    with next as (
      update catalog set serial = greatest(serial + 1, ${unixSeconds}::bigint), changed_at = ${now}
      where exists (select from zone_membership where catalog_serial is null) returning serial
    ), numbered as (
      update zone_membership set catalog_serial = next.serial from next where catalog_serial is null
    )
    select serial from next`);
  return row && BigInt(row.serial);
}

/**
 * The members at the present serial. For a zone with unnumbered joins or leaves, the state before the first of them counts. Use one
 * snapshot with readCatalog (repeatable read).
 */
export async function catalogMembers(db: Reader): Promise<CatalogMember[]> {
  return db.many<{ zone: string; label: string }>(sql`
    with unnumbered as (
      select distinct on (zone_id) zone_id, name, catalog_label, action from zone_membership
      where catalog_serial is null order by zone_id, id)
    select z.name as zone, z.catalog_label as label from zone z
    where z.state = 'active' and not exists (select from unnumbered u where u.zone_id = z.id)
    union all
    select u.name, u.catalog_label from unnumbered u where u.action = 'leave'`);
}

interface CatalogDifference {
  readonly deleted: CatalogMember[];
  readonly added: CatalogMember[];
}

/** The changes between two serials, condensed into one step (RFC 1995 5). */
export async function catalogDifference(db: Reader, held: bigint, wanted: bigint): Promise<CatalogDifference> {
  const rows = await db.many<{ zone: string; label: string; first: string; last: string }>(sql`
    select name as zone, catalog_label as label, (array_agg(action order by id))[1] as first, (array_agg(action order by id desc))[1] as last
    from zone_membership where catalog_serial > ${held} and catalog_serial <= ${wanted} group by zone_id, name, catalog_label order by min(id)`);
  const net = rows.filter(({ first, last }) => first === last);
  return {
    deleted: net.filter(({ last }) => last === 'leave').map(({ zone, label }) => ({ zone, label })),
    added: net.filter(({ last }) => last === 'join').map(({ zone, label }) => ({ zone, label })),
  };
}

/** Purges older joins and leaves. Consumers with an older serial get the whole catalog. */
export async function trimCatalog(tx: Tx, before: Date): Promise<void> {
  await tx.run(sql`
    with gone as (delete from zone_membership where catalog_serial is not null and at < ${before} returning catalog_serial)
    update catalog set journal_from = greatest(journal_from, (select max(catalog_serial) from gone))
    where exists (select from gone)`);
}
