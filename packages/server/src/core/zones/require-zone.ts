import type { AppContext } from '../app-context.ts';
import { Refusal } from '../errors.ts';
import type { Domain } from '../model/domain.ts';
import type { Zone } from '../model/zone.ts';
import { findZone } from './zone.sql.ts';

/** For reads: the zone of the domain, if there is one. */
export async function requireZone(ctx: AppContext, domain: Pick<Domain, 'id' | 'reseller_id' | 'name'>): Promise<Zone> {
  const zone = await findZone(ctx.db.as(domain.reseller_id), domain.reseller_id, domain.id);
  if (zone?.state !== 'active')
    throw new Refusal('not_found', `Zone not found. The first record of ${domain.name} creates it.`);
  return zone;
}
