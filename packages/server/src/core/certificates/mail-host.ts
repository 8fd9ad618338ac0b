import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { delegatedHosts } from '../forwarding/records.ts';
import { hostBelow } from '../forwarding/rule.ts';
import { whyBlocked } from '../forwarding/served.ts';
import type { Domain } from '../model/domain.ts';
import { usesOurNameservers } from '../zones/life/at-registration.ts';
import { findZone } from '../zones/zone.sql.ts';
import { longestOf } from './mail-host.sql.ts';

/** The domain on our nameservers whose zone can prove control of a mail host. Undefined: the host is in a zone elsewhere. */
export async function nameAbove(ctx: AppContext, host: string): Promise<Domain | undefined> {
  const db = ctx.db.as(allTenants);
  const labels = host.split('.');
  const domain = await longestOf(
    db,
    labels.map((_, at) => labels.slice(at).join('.')),
  );
  if (!domain || whyBlocked(domain) !== undefined || !usesOurNameservers(ctx, domain.nameservers)) return undefined;
  const zone = await findZone(db, domain.reseller_id, domain.id);
  if (!zone) return undefined;
  const below = hostBelow(host, domain.name)!;
  return (await delegatedHosts(db, zone, [below])).size > 0 ? undefined : domain;
}
