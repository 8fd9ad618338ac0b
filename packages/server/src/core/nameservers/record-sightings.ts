import { everyTenant } from '@namehold/base';
import { appendEvent } from '../events/append.ts';
import type { House } from '../house.ts';
import { markPublished, type PublishedRow, type Sighting, saveSightings } from './publication.sql.ts';

/** Writes down what was seen, and tells of every zone that all nameservers now answer: once a serial. */
export async function recordSightings(house: House, seen: readonly Sighting[]): Promise<PublishedRow[]> {
  return house.db.transaction(everyTenant, async (tx) => {
    await saveSightings(tx, seen);
    const zoneIds = [...new Set(seen.filter((s) => s.error === null).map((s) => s.zoneId))];
    const published = zoneIds.length === 0 ? [] : await markPublished(tx, zoneIds, house.wall.now());
    for (const zone of published) {
      await appendEvent(house, tx, {
        resellerId: zone.reseller_id,
        type: 'zone.published',
        objectType: 'zone',
        objectId: zone.domain_id,
        payload: { domain_id: zone.domain_id, domain_name: zone.name.slice(0, -1), serial: Number(zone.serial) },
      });
    }
    return published;
  });
}
