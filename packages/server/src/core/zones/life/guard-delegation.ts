import type { Reader } from '@namehold/postgres';
import type { delegationRequested } from '../../domains/effects.ts';
import type { EventAt } from '../../effects.ts';
import { Refusal } from '../../errors.ts';
import type { Domain } from '../../model/domain.ts';
import { rrsetsAt } from '../rrsets/rrset.sql.ts';
import { findZone } from '../zone.sql.ts';
import { usesOurNameservers } from './at-registration.ts';
import { isDigestOf } from './ds-digest.ts';

/**
 * Called before the nameservers of a domain change. While the parent has a DS, resolvers treat every answer without its keys as forged,
 * so new nameservers without the keys make the domain unreachable. New nameservers are trusted to have the keys only if they are ours
 * and the zone has a matching DNSKEY; removing some is always safe.
 */
export async function guardDelegation(event: EventAt<typeof delegationRequested>): Promise<void> {
  const { ctx, db, domain, nameservers, isForced } = event;
  if (isForced || domain.ds.length === 0) return;
  const present = new Set(domain.nameservers);
  const added = nameservers.filter((host) => !present.has(host));
  if (added.length === 0) return;
  if (usesOurNameservers(ctx, added) && (await hasMatchingKey(db, domain))) return;
  throw new Refusal(
    'domain_blocked',
    `${domain.name} has ${domain.ds.length} DS record(s) at the registry, and ${added.join(', ')} may not have their keys. Resolvers would reject the domain. Force the change, or remove the DS records first.`,
    { facts: { ds: domain.ds, nameservers: added }, help: { action: 'remove_ds', domain: domain.id, ds: domain.ds } },
  );
}

async function hasMatchingKey(
  db: Reader,
  domain: Pick<Domain, 'id' | 'reseller_id' | 'name' | 'ds'>,
): Promise<boolean> {
  const zone = await findZone(db, domain.reseller_id, domain.id);
  if (zone?.state !== 'active') return false;
  const keys = (await rrsetsAt(db, zone.id, [zone.name])).find((set) => set.type === 'DNSKEY')?.records ?? [];
  return keys.some(({ wire }) => domain.ds.some((ds) => isDigestOf(ds, zone.name, wire)));
}
