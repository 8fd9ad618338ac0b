import { isIPv4 } from 'node:net';
import { buildRRset, isSubdomain, type Name, type RRset } from '@namehold/dns';
import type { Reader } from '@namehold/postgres';
import type { Config } from '../../../config.ts';
import { zoneDefaults } from '../limits.ts';
import { childHosts } from './life.sql.ts';

/** The nameservers that serve our zones. */
export function ownNameservers(config: Pick<Config, 'defaultNameservers'>): Name[] {
  return config.defaultNameservers.map((host) => `${host.toLowerCase().replace(/\.$/, '')}.`);
}

/** The initial content of a zone: our nameservers, and the parking page if there is one. */
export async function templateRRsets(
  db: Reader,
  config: Pick<Config, 'defaultNameservers' | 'parkingAddresses'>,
  zone: { readonly name: Name; readonly domainId: string },
): Promise<RRset[]> {
  const nameservers = ownNameservers(config);
  const build = (name: Name, type: string, ttl: number, records: readonly string[]): RRset[] =>
    records.length === 0 ? [] : [buildRRset({ name, type, ttl, records }, { origin: zone.name }).rrset];
  const byFamily = (name: Name, addresses: readonly string[], ttl: number) => [
    ...build(name, 'A', ttl, addresses.filter(isIPv4)),
    ...build(
      name,
      'AAAA',
      ttl,
      addresses.filter((address) => !isIPv4(address)),
    ),
  ];
  const glue = await glueOf(
    db,
    zone.domainId,
    nameservers.filter((host) => isSubdomain(host, zone.name)),
  );
  return [
    ...build(zone.name, 'NS', zoneDefaults.nameserverTtlSeconds, nameservers),
    ...glue.flatMap(({ hostname, addresses }) =>
      byFamily(`${hostname}.`, addresses, zoneDefaults.nameserverTtlSeconds),
    ),
    ...[zone.name, `www.${zone.name}`].flatMap((name) =>
      byFamily(name, config.parkingAddresses, zoneDefaults.ttlSeconds),
    ),
  ];
}

/** The zone that contains our own nameservers needs their addresses. */
async function glueOf(
  db: Reader,
  domainId: string,
  hosts: readonly Name[],
): Promise<{ hostname: string; addresses: string[] }[]> {
  if (hosts.length === 0) return [];
  return childHosts(
    db,
    domainId,
    hosts.map((host) => host.slice(0, -1)),
  );
}
