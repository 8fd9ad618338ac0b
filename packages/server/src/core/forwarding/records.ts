import { isIPv4 } from 'node:net';
import { buildRRset, type Name, type RRset } from '@namehold/dns';
import type { Reader } from '@namehold/postgres';
import type { Config } from '../../config.ts';
import { namesAbove, type Zone } from '../model/zone.ts';
import type { ZoneDraft } from '../zones/change/draft.ts';
import { claimRecords, type Keeper, releaseRecords } from '../zones/change/managed-records.ts';
import { rrsetsAt } from '../zones/rrsets/rrset.sql.ts';
import { forwardingLimits, hostName } from './rule.ts';
import { edgeAddresses } from './target.ts';

export const webKeeper: Keeper = { service: 'url_forwarding', label: 'forwarding', field: 'rules' };

/** The records of one domain that point to the edge. */
export function edgeRecords(config: Pick<Config, 'redirectAddresses' | 'mode'>, name: Name): RRset[] {
  const given = edgeAddresses(config);
  const build = (type: 'A' | 'AAAA', records: readonly string[]) =>
    records.length === 0
      ? []
      : [buildRRset({ name, type, ttl: forwardingLimits.recordTtlSeconds, records }, { origin: name }).rrset];
  return [
    ...build('A', given.filter(isIPv4)),
    ...build(
      'AAAA',
      given.filter((address) => !isIPv4(address)),
    ),
  ];
}

export const ownerOf = (host: string, draft: Pick<ZoneDraft, 'zone'>): Name => hostName(host, draft.zone.name);

/** Of these hosts, those at or below a delegation within the zone, with the delegated name. Our records there are not answered. */
export async function delegatedHosts(
  db: Reader,
  zone: Pick<Zone, 'id' | 'name'>,
  hosts: readonly string[],
): Promise<Map<string, Name>> {
  const ways = hosts
    .map((host) => [host, hostName(host, zone.name)] as const)
    .map(
      ([host, name]) => [host, [name, ...namesAbove(name, zone.name)].filter((each) => each !== zone.name)] as const,
    );
  const names = [...new Set(ways.flatMap(([, way]) => way))];
  if (names.length === 0) return new Map();
  const sets = await rrsetsAt(db, zone.id, names);
  const cuts = new Set(sets.filter((set) => set.type === 'NS').map((set) => set.name));
  return new Map(
    ways.flatMap(([host, way]) => {
      const cut = way.find((name) => cuts.has(name));
      return cut === undefined ? [] : [[host, cut] as const];
    }),
  );
}

/** Adds our records at these hosts. Records of the owner are replaced only if requested, and are kept for the end. */
export function claimHosts(
  draft: ZoneDraft,
  config: Config,
  hosts: readonly string[],
  replacesRecords: boolean,
): Promise<void> {
  const wanted = hosts.flatMap((host) => edgeRecords(config, ownerOf(host, draft)));
  return claimRecords(draft, config, webKeeper, wanted, replacesRecords);
}

/** Removes our records at these hosts and restores the replaced ones, unless other records are there now. */
export function releaseHosts(draft: ZoneDraft, hosts: readonly string[]): Promise<void> {
  return releaseRecords(
    draft,
    webKeeper,
    hosts.map((host) => ownerOf(host, draft)),
  );
}
