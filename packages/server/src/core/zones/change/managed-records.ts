import { type Name, parseRecord, type RRset } from '@namehold/dns';
import type { Config } from '../../../config.ts';
import { Refusal } from '../../errors.ts';
import { templateRRsets } from '../life/template.ts';
import type { JournalRecords, ManagingService, StoredRRset } from '../zone.ts';
import { insertDisplaced, takeDisplaced } from './displaced.sql.ts';
import type { ZoneDraft } from './draft.ts';
import { isClaimed, keeperOf, keptRefusal } from './guard-managed.ts';

/** Who keeps records, and how a problem with them is told. */
export interface Keeper {
  readonly service: ManagingService;
  /** Word of the service in a sentence. */
  readonly word: string;
  readonly field: string;
}

export const asRecords = ({ name, type, ttl, records }: StoredRRset): JournalRecords => ({
  name,
  type,
  ttl,
  records: records.map((record) => record.text),
});

const setsAt = (sets: ReadonlyMap<string, StoredRRset> | undefined) => [...(sets?.values() ?? [])];

/** Puts records of a service into the zone. What the owner has in their place gives way only where that is asked for, and is kept. */
export async function claimRecords(
  draft: ZoneDraft,
  config: Config,
  { service, word, field }: Keeper,
  wanted: readonly RRset[],
  replacesRecords: boolean,
): Promise<void> {
  if (wanted.length === 0) return;
  const names = [...new Set(wanted.map((set) => set.name))];
  await draft.load(names);
  for (const { name, type } of wanted) {
    const other = keeperOf(draft, name, type);
    // Two services at one place: whichever ends first would take the records of both along.
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
  if (owners.length > 0 && !replacesRecords) throw inTheWay(owners, word);
  for (const set of inTheWaySets) draft.remove(set.name, set.type, field, service);
  await insertDisplaced(draft.tx, draft.zone, service, inTheWaySets.map(asRecords));
  for (const set of wanted) draft.put({ ...set, managedBy: service }, field, service);
}

export function inTheWay(records: readonly JournalRecords[], word: string): Refusal {
  const shown = records.slice(0, 5).map(({ name, type, records: [first] }) => `${name} ${type} ${first}`);
  return new Refusal(
    'conflict',
    `The zone has your own records where ${word} needs its records: ${shown.join('; ')}. Send replace_records=true to replace them; they come back when ${word} ends.`,
    { facts: { records: records.slice(0, 50), replaceRecords: 'true' } },
  );
}

/** Takes records of a service away at these names, and brings back what gave way, where nothing else stands in its place by now. */
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
      const reason = `other records stand there by now: ${set.records[0]} is not brought back`;
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

/** The owner wants these names for records of its own: what gave way there once is not brought back beside them; the history has it. */
export async function giveUp(draft: ZoneDraft, keeper: Keeper, names: readonly Name[]): Promise<void> {
  removeManaged(draft, keeper, names);
  for (const name of names) draft.release(name, keeper.service);
  for (const { name, type, records } of await takeDisplaced(draft.tx, draft.zone, keeper.service, names))
    draft.warnings.push({
      name,
      type,
      reason: `gave way to forwarding and is not brought back: ${records.join(', ')}`,
    });
}
