import type { Domain } from '../../domains/domain.ts';
import type { House } from '../../house.ts';
import { activeNameservers } from '../../nameservers/list.ts';
import { recordSightings } from '../../nameservers/record-sightings.ts';
import { readZone, type ZoneOverview } from '../read-zone.ts';
import { requireZone } from '../require-zone.ts';

/** Asks every nameserver now, all at once, and writes down what they say. */
export async function askNameservers(house: House, domain: Domain): Promise<ZoneOverview> {
  const zone = await requireZone(house, domain);
  const nameservers = await activeNameservers(house);
  const seen = await Promise.all(
    nameservers.map(async ({ id, address, port }) => {
      const said = await house.askSerial({ address, port }, zone.name);
      const [serial, error] = 'serial' in said ? [said.serial, null] : [null, said.error];
      return { zoneId: zone.id, nameserverId: id, serial, at: house.wall.now(), error };
    }),
  );
  if (seen.length > 0) await recordSightings(house, seen);
  return readZone(house, domain);
}
