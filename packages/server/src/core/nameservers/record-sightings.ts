import { everyTenant } from '@namehold/base';
import type { House } from '../house.ts';
import { appendPublished, markPublished, type Sighting, saveSightings } from './publication.sql.ts';

/** Writes down what was seen, and tells of every zone that all nameservers now answer: once a serial. */
export async function recordSightings(house: House, seen: readonly Sighting[]): Promise<void> {
  await house.db.transaction(everyTenant, async (tx) => {
    await saveSightings(tx, seen);
    const zoneIds = [...new Set(seen.filter((s) => s.error === null).map((s) => s.zoneId))];
    const published = zoneIds.length === 0 ? [] : await markPublished(tx, zoneIds, house.wall.now());
    if (published.length > 0) await appendPublished(tx, published, house.clock.now());
  });
}
