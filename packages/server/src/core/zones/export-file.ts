import { writeZoneFile } from '@namehold/dns';
import type { Domain } from '../domains/domain.ts';
import type { House } from '../house.ts';
import { zoneSnapshot } from './publish.ts';
import { requireZone } from './require-zone.ts';

/** The zone as a master file that BIND, Knot and NSD read, all of one moment. */
export async function exportZoneFile(
  house: House,
  domain: Domain,
): Promise<{ readonly file: string; readonly serial: number }> {
  const zone = await requireZone(house, domain);
  const snapshot = await zoneSnapshot(house, zone.name);
  // Withdrawn between the two reads: the next call says so.
  const { head, rrsets } = snapshot ?? { head: undefined, rrsets: [] };
  if (!head || head.id !== zone.id) return exportZoneFile(house, domain);
  return { file: writeZoneFile(zone.name, [head.soa, ...rrsets]), serial: head.serial };
}
