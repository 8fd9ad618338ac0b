import type { AppContext } from '../app-context.ts';
import type { Domain } from '../model/domain.ts';
import type { Zone } from '../model/zone.ts';
import { delegatedToUs } from './life/delete-zone.ts';
import { type NameserverPublication, publicationOf } from './publish/publication.ts';
import { requireZone } from './require-zone.ts';

export interface ZoneOverview {
  readonly zone: Zone;
  readonly isDelegated: boolean;
  readonly nameservers: readonly NameserverPublication[];
}

/** Serial, SOA, and the publication status of the last change on each nameserver. */
export async function readZone(ctx: AppContext, domain: Domain): Promise<ZoneOverview> {
  const zone = await requireZone(ctx, domain);
  const db = ctx.db.as(domain.reseller_id);
  const [nameservers, pointing] = await Promise.all([
    publicationOf(db, zone, ctx.wall.now()),
    delegatedToUs(ctx, db, domain, zone),
  ]);
  return { zone, nameservers, isDelegated: pointing.length > 0 };
}
