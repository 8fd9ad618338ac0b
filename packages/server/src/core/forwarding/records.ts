import { isIPv4 } from 'node:net';
import { buildRRset, type Name, parseRecord, type RRset } from '@namehold/dns';
import type { Config } from '../../config.ts';
import { Refusal } from '../errors.ts';
import type { ZoneDraft } from '../zones/change/draft.ts';
import { claimedTypes } from '../zones/change/guard-managed.ts';
import { templateRRsets } from '../zones/life/template.ts';
import type { JournalRecords, ManagingService, StoredRRset } from '../zones/zone.ts';
import { insertDisplaced, takeDisplaced } from './forwarding.sql.ts';
import { forwardingLimits, hostName } from './rule.ts';
import { edgeAddresses } from './target.ts';

const service: ManagingService = 'url_forwarding';
const field = 'rules';

/** The records that lead to the edge, for one name. */
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

const asRecords = ({ name, type, ttl, records }: StoredRRset): JournalRecords => ({
  name,
  type,
  ttl,
  records: records.map((record) => record.text),
});

const ofService = (sets: ReadonlyMap<string, StoredRRset> | undefined) => [...(sets?.values() ?? [])];

/** Puts our records at these hosts. What the owner has there gives way only where that is asked for, and is kept. */
export async function claimHosts(
  draft: ZoneDraft,
  config: Config,
  hosts: readonly string[],
  replacesRecords: boolean,
): Promise<void> {
  if (hosts.length === 0) return;
  const names = hosts.map((host) => ownerOf(host, draft));
  await draft.load(names);
  const standing = names.flatMap((name) =>
    ofService(draft.before().get(name)).filter((set) => !set.managedBy && claimedTypes[service].has(set.type)),
  );
  const template = await templateRRsets(draft.tx, config, { name: draft.zone.name, domainId: draft.zone.domain_id });
  const written = new Set(template.map((set) => JSON.stringify(asRecords(set))));
  const owners = standing.map(asRecords).filter((set) => !written.has(JSON.stringify(set)));
  if (owners.length > 0 && !replacesRecords) throw inTheWay(owners);
  for (const set of standing) draft.remove(set.name, set.type, field, service);
  await insertDisplaced(draft.tx, draft.zone, service, standing.map(asRecords));
  for (const name of names)
    for (const set of edgeRecords(config, name)) draft.put({ ...set, managedBy: service }, field, service);
}

function inTheWay(records: readonly JournalRecords[]): Refusal {
  const shown = records.slice(0, 5).map(({ name, type, records: [first] }) => `${name} ${type} ${first}`);
  return new Refusal(
    'conflict',
    `the zone has records of yours where forwarding needs its own: ${shown.join('; ')}. Send replace_records=true: they give way, and come back when forwarding ends`,
    { facts: { records: records.slice(0, 50), replaceRecords: 'true' } },
  );
}

/** Takes our records away at these hosts, and brings back what gave way, where nothing else stands in its place by now. */
export async function releaseHosts(draft: ZoneDraft, hosts: readonly string[]): Promise<void> {
  if (hosts.length === 0) return;
  const names = hosts.map((host) => ownerOf(host, draft));
  await draft.load(names);
  removeManaged(draft, names);
  for (const set of await takeDisplaced(draft.tx, draft.zone, service, names)) {
    const others = ofService(draft.after().get(set.name)).filter((one) => !claimedTypes[service].has(one.type));
    if (set.type === 'CNAME' && others.length > 0) {
      draft.warnings.push({
        ...toldOf(set),
        reason: `other records stand there by now: ${set.records[0]} is not brought back`,
      });
      continue;
    }
    const records = set.records.map((text) => ({ text, wire: parseRecord(set.type, text).wire }));
    draft.put({ ...set, records }, field, service);
  }
}

const toldOf = ({ name, type }: JournalRecords) => ({ name, type });

export function removeManaged(draft: ZoneDraft, names: readonly Name[]): void {
  for (const name of names)
    for (const set of ofService(draft.before().get(name)))
      if (set.managedBy === service) draft.remove(set.name, set.type, field, service);
}
