import type { Name } from '@namehold/dns';
import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { JournalRecords, ManagingService, Zone } from '../../model/zone.ts';

type ZoneRef = Pick<Zone, 'id' | 'reseller_id'>;

export async function insertDisplaced(
  tx: Tx,
  zone: ZoneRef,
  service: ManagingService,
  sets: readonly JournalRecords[],
): Promise<void> {
  for (const { name, type, ttl, records } of sets)
    await tx.run(sql`
      insert into displaced_rrset (zone_id, reseller_id, managed_by, name, type, ttl, records)
      values (${zone.id}, ${zone.reseller_id}, ${service}, ${name}, ${type}, ${ttl}, ${records}::text[])
      on conflict (zone_id, name, type) do nothing`);
}

export async function displacedOf(db: Reader, zone: ZoneRef, service: ManagingService): Promise<JournalRecords[]> {
  return db.many<JournalRecords>(sql`
    select name, type, ttl, records from displaced_rrset
    where zone_id = ${zone.id} and reseller_id = ${zone.reseller_id} and managed_by = ${service} order by name, type`);
}

/** Returns and deletes the displaced records at these names. `types`: only these types. */
export async function takeDisplaced(
  tx: Tx,
  zone: ZoneRef,
  service: ManagingService,
  names: readonly Name[],
  types?: readonly string[],
): Promise<JournalRecords[]> {
  return tx.many<JournalRecords>(sql`
    delete from displaced_rrset
    where zone_id = ${zone.id} and reseller_id = ${zone.reseller_id} and managed_by = ${service} and name = any(${names}::text[])
      and (${types === undefined} or type = any(${types ?? []}::text[]))
    returning name, type, ttl, records`);
}
