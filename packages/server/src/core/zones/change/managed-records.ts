import { type Name, parseRecord, type RRset } from '@namehold/dns';
import type { Config } from '../../../config.ts';
import { Refusal } from '../../errors.ts';
import type { JournalRecords, ManagingService, StoredRRset } from '../../model/zone.ts';
import { templateRRsets } from '../life/template.ts';
import { insertDisplaced, takeDisplaced } from './displaced.sql.ts';
import type { ZoneDraft } from './draft.ts';
import { isClaimed, keeperOf, keptRefusal } from './guard-managed.ts';

/** The service that manages records, and how a problem with them is reported. */
export interface Keeper {
  readonly service: ManagingService;
  /** Name of the service in a sentence. */
  readonly label: string;
  readonly field: string;
}

export const asRecords = ({ name, type, ttl, records }: StoredRRset): JournalRecords => ({
  name,
  type,
  ttl,
  records: records.map((record) => record.text),
});

const setsAt = (sets: ReadonlyMap<string, StoredRRset> | undefined) => [...(sets?.values() ?? [])];

/**
 * Puts records of a service into the zone. Records of the owner in their place are displaced only if that is requested, and are kept for
 * later.
 */
export async function claimRecords(
  draft: ZoneDraft,
  config: Config,
  { service, label, field }: Keeper,
  wanted: readonly RRset[],
  replacesRecords: boolean,
): Promise<void> {
  if (wanted.length === 0) return;
  const names = [...new Set(wanted.map((set) => set.name))];
  await draft.load(names);
  for (const { name, type } of wanted) {
    const other = keeperOf(draft, name, type);
    // If two services managed the same records, the first one to end would remove the records of both.
    if (other && other !== service) throw keptRefusal(other, name, type, field);
  }
  const inTheWaySets = names.flatMap((name) => {
    const ours = wanted.filter((set) => set.name === name);
    const inPlace = (set: StoredRRset) => ours.some((one) => isClaimed(service, one.type, set.type));
    return setsAt(draft.before().get(name)).filter((set) => !set.managedBy && inPlace(set));
  });
  const template = await templateRRsets(draft.tx, config, { name: draft.zone.name, domainId: draft.zone.domain_id });
  const written = new Set(template.map((set) => JSON.stringify(asRecords(set))));
  const owners = inTheWaySets.map(asRecords).filter((set) => !written.has(JSON.stringify(set)));
  if (owners.length > 0 && !replacesRecords) throw inTheWay(owners, label);
  for (const set of inTheWaySets) draft.remove(set.name, set.type, field, service);
  await insertDisplaced(draft.tx, draft.zone, service, inTheWaySets.map(asRecords));
  for (const set of wanted) draft.put({ ...set, managedBy: service }, field, service);
}

export function inTheWay(records: readonly JournalRecords[], label: string): Refusal {
  const shown = records.slice(0, 5).map(({ name, type, records: [first] }) => `${name} ${type} ${first}`);
  return new Refusal(
    'conflict',
    `The zone has your own records where ${label} needs its records: ${shown.join('; ')}. Send replace_records=true to replace them; they come back when ${label} ends.`,
    { facts: { records: records.slice(0, 50), replaceRecords: 'true' } },
  );
}

/** Removes records of a service at these names, and restores the displaced records unless others are in their place by now. */
export async function releaseRecords(draft: ZoneDraft, keeper: Keeper, names: readonly Name[]): Promise<void> {
  if (names.length === 0) return;
  await draft.load(names);
  removeManaged(draft, keeper, names);
  bringBack(draft, keeper, await takeDisplaced(draft.tx, draft.zone, keeper.service, names));
}

export function bringBack(draft: ZoneDraft, { service, field }: Keeper, displaced: readonly JournalRecords[]): void {
  for (const set of displaced) {
    const { name, type } = set;
    const others = setsAt(draft.after().get(name)).filter((one) => one.type !== type);
    if (type === 'CNAME' && others.length > 0) {
      const reason = `other records exist there by now: ${set.records[0]} is not restored`;
      draft.warnings.push({ name, type, reason });
      continue;
    }
    const present = draft.rrset(name, type)?.records ?? [];
    const back = set.records.filter((text) => !present.some((record) => record.text === text));
    const records = [...present, ...back.map((text) => ({ text, wire: parseRecord(type, text).wire }))];
    draft.put({ name, type, ttl: set.ttl, records }, field, service);
  }
}

function removeManaged(draft: ZoneDraft, { service, field }: Keeper, names: readonly Name[]): void {
  for (const name of names)
    for (const set of setsAt(draft.before().get(name)))
      if (set.managedBy === service) draft.remove(set.name, set.type, field, service);
}

/** The owner wants these names for its own records: displaced records are not restored beside them, but the history has them. */
export async function giveUp(draft: ZoneDraft, keeper: Keeper, names: readonly Name[]): Promise<void> {
  removeManaged(draft, keeper, names);
  for (const name of names) draft.release(name, keeper.service);
  for (const { name, type, records } of await takeDisplaced(draft.tx, draft.zone, keeper.service, names))
    draft.warnings.push({
      name,
      type,
      reason: `was replaced by forwarding and is not restored: ${records.join(', ')}`,
    });
}
