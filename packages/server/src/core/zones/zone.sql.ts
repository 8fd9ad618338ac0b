import { type Reader, type Sql, sql, Table, type Tx } from '@namehold/postgres';
import type { SoaFields, Zone, ZoneState } from '../model/zone.ts';

/** bigint columns come as text. */
export type ZoneRow = Omit<Zone, 'serial'> & { readonly serial: string };

export const zoneTable = new Table<ZoneRow>('zone', {
  id: 'bigint',
  reseller_id: 'bigint',
  domain_id: 'bigint',
  name: 'text',
  serial: 'bigint',
  state: 'text',
  mname: 'text',
  record_count: 'integer',
  catalog_label: 'text',
  changed_at: 'timestamptz',
  created_at: 'timestamptz',
  withdrawn_at: 'timestamptz?',
  deleted_at: 'timestamptz?',
  rname: 'text',
  refresh: 'integer',
  retry: 'integer',
  expire: 'integer',
  minimum: 'integer',
});

/** A serial fits a number. */
export function zoneOf<R extends ZoneRow>(row: R): Omit<R, 'serial'> & { serial: number } {
  return { ...row, serial: Number(row.serial) };
}

async function maybeZone(db: Reader, statement: Sql): Promise<Zone | undefined> {
  const row = await db.maybe<ZoneRow>(statement);
  return row && zoneOf(row);
}

export function findZone(db: Reader, resellerId: string, domainId: string): Promise<Zone | undefined> {
  return maybeZone(
    db,
    sql`select ${zoneTable.columns} from zone where domain_id = ${domainId} and reseller_id = ${resellerId}`,
  );
}

/** Serialises the writers of one zone. */
export function lockZone(tx: Tx, resellerId: string, domainId: string): Promise<Zone | undefined> {
  return maybeZone(
    tx,
    sql`select ${zoneTable.columns} from zone where domain_id = ${domainId} and reseller_id = ${resellerId} for no key update`,
  );
}

/** New content: serial, SOA and count change together, and every process that serves the zone is notified at commit. */
export async function advanceZone(
  tx: Tx,
  zone: Zone,
  to: SoaFields & { readonly serial: number; readonly recordCount: number; readonly now: Date },
): Promise<void> {
  await tx.run(sql`
    with moved as (
      update zone set serial = ${to.serial}, record_count = ${to.recordCount}, rname = ${to.rname}, refresh = ${to.refresh}, retry = ${to.retry},
        expire = ${to.expire}, minimum = ${to.minimum}, changed_at = ${to.now}, changed_xid = pg_current_xact_id()
      where id = ${zone.id} returning id
    )
    select pg_notify('namehold_zone', id::text) from moved`);
}

/** Changes whether the zone is served, with the catalog entry for it. `now` is business time: grace times count from it. */
export async function setZoneState(tx: Tx, zone: Pick<Zone, 'id'>, state: ZoneState, now: Date): Promise<void> {
  await tx.run(sql`
    with moved as (
      update zone set state = ${state}, withdrawn_at = ${state === 'withdrawn' ? now : null}, deleted_at = ${state === 'deleted' ? now : null},
        changed_xid = pg_current_xact_id()
      where id = ${zone.id} returning id, name, catalog_label
    ), recorded as (
      insert into zone_membership (zone_id, name, catalog_label, action, at)
      select id, name, catalog_label, ${state === 'active' ? 'join' : 'leave'}, ${now} from moved
    )
    select pg_notify('namehold_zone', id::text) from moved`);
}

/** Active zones whose domain left before the given time. */
export async function zonesToWithdraw(tx: Tx, removedBefore: Date, limit: number): Promise<Zone[]> {
  const rows = await tx.many<ZoneRow>(sql`
    select ${zoneTable.of('z')} from zone z join domain d on d.id = z.domain_id
    where z.state = 'active' and d.state = 'removed' and d.removed_at < ${removedBefore}
    order by d.removed_at limit ${limit} for no key update of z skip locked`);
  return rows.map(zoneOf);
}

export async function purgeTombstones(tx: Tx, before: Date, limit: number): Promise<number> {
  return tx.run(sql`
    delete from zone where id in (
      select id from zone where state <> 'active' and coalesce(withdrawn_at, deleted_at) < ${before} limit ${limit} for update skip locked)`);
}
