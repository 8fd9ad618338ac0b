import { writeZoneFile } from '@namehold/dns';
import type { Domain } from '../../domains/domain.ts';
import type { House } from '../../house.ts';
import { zoneLimits } from '../limits.ts';
import { zoneSnapshot } from '../publish/publish.ts';
import { requireZone } from '../require-zone.ts';
import type { ExportedFile } from '../tasks.ts';

/** The zone as a master file that BIND, Knot and NSD read, all of one moment. */
export async function exportZoneFile(house: House, domain: Domain): Promise<ExportedFile> {
  const zone = await requireZone(house, domain);
  if (house.workshop && zone.record_count > zoneLimits.lightRecords)
    return house.workshop.exportFile({ resellerId: domain.reseller_id }, domain);
  const snapshot = await zoneSnapshot(house, zone.name);
  // Withdrawn between the two reads: the next call says so.
  const { head, rrsets } = snapshot ?? { head: undefined, rrsets: [] };
  if (!head || head.id !== zone.id) return exportZoneFile(house, domain);
  const file = writeZoneFile(zone.name, [head.soa, ...rrsets]);
  return { file: Buffer.from(file), serial: head.serial };
}
