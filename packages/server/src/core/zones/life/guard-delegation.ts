import { createHash } from 'node:crypto';
import type { Reader } from '@namehold/base';
import { decodeRdata, nameToWire } from '@namehold/dns';
import type { Domain } from '../../domains/domain.ts';
import type { DsRecord } from '../../domains/registry/registry.ts';
import { Refusal } from '../../errors.ts';
import type { House } from '../../house.ts';
import { rrsetsAt } from '../rrsets/rrset.sql.ts';
import { findZone } from '../zone.sql.ts';
import { zoneName } from '../zone.ts';
import { usesOurNameservers } from './at-registration.ts';

/**
 * Called before the nameservers of a domain change. While the parent has a DS, resolvers take every answer without its keys for
 * forged: a move to nameservers that do not have them makes the name vanish. New nameservers are trusted to have the keys only where
 * they are ours and the zone holds a matching DNSKEY; leaving some out is always safe.
 */
export async function guardDelegation(
  house: House,
  db: Reader,
  domain: Pick<Domain, 'id' | 'reseller_id' | 'name' | 'nameservers' | 'ds'>,
  nameservers: readonly string[],
  options: { readonly isForced: boolean },
): Promise<void> {
  if (options.isForced || domain.ds.length === 0) return;
  const present = new Set(domain.nameservers);
  const added = nameservers.filter((host) => !present.has(host));
  if (added.length === 0) return;
  if (usesOurNameservers(house, added) && (await hasMatchingKey(db, domain))) return;
  throw new Refusal(
    'domain_blocked',
    `${domain.name} has ${domain.ds.length} DS record(s) at the registry, and ${added.join(', ')} may not have their keys: resolvers would refuse the name. Force it, or remove the DS first`,
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
  return keys.some(({ wire }) => domain.ds.some((ds) => isDigestOf(ds, domain.name, wire)));
}

const digestNames: Readonly<Record<number, string>> = { 1: 'sha1', 2: 'sha256', 4: 'sha384' };

/** RFC 4034 5.1.4: the digest is over the owner name and the rdata of the key. */
function isDigestOf(ds: DsRecord, domainName: string, dnskey: Uint8Array): boolean {
  const hash = digestNames[ds.digesttype];
  if (hash === undefined || decodeRdata('DNSKEY', dnskey).algorithm !== ds.algorithm) return false;
  const digest = createHash(hash)
    .update(nameToWire(zoneName(domainName)))
    .update(dnskey)
    .digest('hex');
  return digest === ds.digest.toLowerCase();
}
