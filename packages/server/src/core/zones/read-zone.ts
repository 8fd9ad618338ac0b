import type { Domain } from '../domains/domain.ts';
import type { House } from '../house.ts';
import { delegatedToUs } from './life/delete-zone.ts';
import { type NameserverPublication, publicationOf } from './publish/publication.ts';
import { requireZone } from './require-zone.ts';
import type { Zone } from './zone.ts';

export interface ZoneOverview {
  readonly zone: Zone;
  readonly isDelegated: boolean;
  readonly nameservers: readonly NameserverPublication[];
}

/** Serial, SOA, and how far the last change has come on each nameserver. */
export async function readZone(house: House, domain: Domain): Promise<ZoneOverview> {
  const zone = await requireZone(house, domain);
  const db = house.db.as(domain.reseller_id);
  const [nameservers, pointing] = await Promise.all([
    publicationOf(db, zone, house.wall.now()),
    delegatedToUs(house, db, domain, zone),
  ]);
  return { zone, nameservers, isDelegated: pointing.length > 0 };
}
