import type { Tx } from '@namehold/base';
import { nextSerial } from '@namehold/dns';
import type { Domain } from '../../domains/domain.ts';
import { Refusal } from '../../errors.ts';
import type { Actor, House } from '../../house.ts';
import { insertChange } from '../change/change.sql.ts';
import { commitDraft, tell } from '../change/commit.ts';
import { ZoneDraft } from '../change/draft.ts';
import { putRRsets } from '../rrsets/rrset.sql.ts';
import { hostmasterOf, soaDefaults, soaRRset } from '../soa.ts';
import {
  advanceZone,
  insertZone,
  isZoneInTheWay,
  joinCatalog,
  lastSerialOfName,
  lockZone,
  makeWay,
  setZoneState,
} from '../zone.sql.ts';
import { countRecords, type Zone, zoneName } from '../zone.ts';
import { requireSponsoredNow } from './sponsored.ts';
import { ownNameservers, templateRRsets } from './template.ts';

export type ZoneDomain = Pick<Domain, 'id' | 'reseller_id' | 'name'>;

/** The zone of a domain, locked; made on first use. One that was deleted begins again with the template. */
export async function openZone(house: House, tx: Tx, actor: Actor, domain: ZoneDomain): Promise<Zone> {
  const found = await lockZone(tx, domain.reseller_id, domain.id);
  if (found?.state === 'active') return found;
  await requireSponsoredNow(tx, domain);
  await claimName(house, tx, domain);
  return found ? reviveZone(house, tx, actor, found) : createZone(house, tx, actor, domain);
}

/** Nobody gets a zone above or below one of another account; what an earlier holder of the very name left is withdrawn. */
export async function claimName(house: House, tx: Tx, domain: ZoneDomain): Promise<void> {
  const name = zoneName(domain.name);
  if (await isZoneInTheWay(tx, name, domain.reseller_id)) {
    throw new Refusal('conflict', `a zone above or below ${domain.name} belongs to another account`);
  }
  await makeWay(tx, name, domain.id, house.clock.now());
}

async function createZone(house: House, tx: Tx, actor: Actor, domain: ZoneDomain): Promise<Zone> {
  const name = zoneName(domain.name);
  const now = house.wall.now();
  const unixSeconds = Math.floor(now.getTime() / 1_000);
  const last = await lastSerialOfName(tx, name);
  const made = await insertZone(tx, {
    resellerId: domain.reseller_id,
    domainId: domain.id,
    name,
    serial: last === undefined ? unixSeconds : nextSerial(last, unixSeconds),
    mname: ownNameservers(house.config)[0] ?? `ns.${name}`,
    rname: hostmasterOf(name),
    ...soaDefaults,
    now,
  });
  // Another request of the same account made it first.
  if (!made) return openZone(house, tx, actor, domain);
  const rrsets = await templateRRsets(tx, house.config, { name, domainId: domain.id });
  const zone: Zone = { ...made, record_count: countRecords(rrsets) };
  const added = rrsets.map((set) => ({ ...set, records: set.records.map((record) => record.text) }));
  await putRRsets(tx, zone, rrsets);
  await insertChange(tx, zone, {
    serialFrom: null,
    serialTo: zone.serial,
    kind: 'create',
    at: now,
    keyId: actor.keyId,
    person: actor.person,
    requestId: actor.requestId,
    comment: null,
    soaFrom: null,
    soaTo: soaRRset(zone).records[0]!.text,
    deleted: [],
    added,
  });
  await advanceZone(tx, zone, { ...zone, recordCount: zone.record_count, now });
  await joinCatalog(tx, zone, now);
  await tell(house, actor, tx, { zone, previousSerial: null, diff: { deleted: [], added }, kind: 'create' });
  return zone;
}

async function reviveZone(house: House, tx: Tx, actor: Actor, zone: Zone): Promise<Zone> {
  await setZoneState(tx, zone, 'active', house.clock.now());
  const draft = new ZoneDraft(tx, { ...zone, state: 'active', deleted_at: null, withdrawn_at: null });
  await draft.loadAll();
  const rrsets = await templateRRsets(tx, house.config, { name: zone.name, domainId: zone.domain_id });
  draft.removeAllBut(() => false, 'zone');
  for (const set of rrsets) draft.put(set, 'zone');
  draft.soa = { rname: hostmasterOf(zone.name), ...soaDefaults };
  return (await commitDraft(house, actor, draft, { kind: 'template', always: true })).zone;
}
