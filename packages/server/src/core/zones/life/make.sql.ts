import type { Name } from '@namehold/dns';
import { sql, type Tx } from '@namehold/postgres';
import type { JournalRecords, SoaFields, StoredRRset, Zone } from '../../model/zone.ts';
import { packRecords } from '../rrsets/packed.ts';
import type { DefaultTemplate } from '../templates/default.sql.ts';
import { type ZoneRow, zoneOf, zoneTable } from '../zone.sql.ts';

export interface Claimed {
  readonly lastSerial: number | undefined;
  /** The default template for new zones of the account. */
  readonly chosen: DefaultTemplate | null;
}

/**
 * Whether there is a zone of another reseller above or below. If not, a zone that a former reseller of the domain left is withdrawn.
 * Locks the branch until the transaction ends. `lastSerial`: the highest serial of any earlier zone of this domain; a new zone must be
 * higher, or secondaries keep the old content.
 */
export async function claimBranch(
  tx: Tx,
  zone: { readonly name: Name; readonly resellerId: string; readonly domainId: string },
  now: Date,
): Promise<{ readonly isTaken: boolean } & Claimed> {
  const row = await tx.one<{ is_taken: boolean; last_serial: string | null; chosen: DefaultTemplate | null }>(sql`
    select is_taken, last_serial, default_zone_template_of(${zone.resellerId}) as chosen
    from zone_claim_name(${zone.name}, ${zone.resellerId}, ${zone.domainId}, ${now})`);
  const lastSerial = row.last_serial === null ? undefined : Number(row.last_serial);
  return { isTaken: row.is_taken, lastSerial, chosen: row.chosen };
}

interface NewZone extends SoaFields {
  readonly resellerId: string;
  readonly domainId: string;
  readonly name: Name;
  readonly serial: number;
  readonly mname: Name;
  readonly now: Date;
  readonly rrsets: readonly StoredRRset[];
  readonly recordCount: number;
  /** The first change of its history. */
  readonly added: readonly JournalRecords[];
  readonly soa: string;
  readonly by: { readonly keyId: string | null; readonly userId: string | null; readonly userName: string | null };
  readonly requestId: string;
}

/** A zone with its records, its history and its catalog entry. Undefined if another transaction created it first. */
export async function makeZone(tx: Tx, zone: NewZone): Promise<Zone | undefined> {
  const { rrsets, by } = zone;
  const row = await tx.maybe<ZoneRow>(sql`
    with made as (
      insert into zone (reseller_id, domain_id, name, serial, mname, record_count, rname, refresh, retry, expire, minimum, changed_at, created_at)
      values (${zone.resellerId}, ${zone.domainId}, ${zone.name}, ${zone.serial}, ${zone.mname}, ${zone.recordCount}, ${zone.rname}, ${zone.refresh},
              ${zone.retry}, ${zone.expire}, ${zone.minimum}, ${zone.now}, ${zone.now})
      on conflict (domain_id) do nothing returning ${zoneTable.columns}
    )
    select ${zoneTable.columns}, zone_begin(id, ${rrsets.map((set) => set.name)}, ${rrsets.map((set) => set.type)}, ${rrsets.map((set) => set.ttl)},
      ${rrsets.map((set) => JSON.stringify(set.records.map((record) => record.text)))}, ${rrsets.map((set) => packRecords(set.records))},
      ${rrsets.map((set) => set.managedBy ?? null)}, ${by.keyId}, ${by.userId}, ${by.userName}, ${zone.requestId}, ${zone.soa},
      ${JSON.stringify(zone.added)}) from made`);
  return row && zoneOf(row);
}
