import type { Name, RRset } from '@namehold/dns';
import type { JournalRecords, ManagingService, RRsetMap, StoredRRset, ZoneDiff } from '../../model/zone.ts';

export interface Rewrite {
  readonly before: StoredRRset | undefined;
  readonly after: StoredRRset | undefined;
  /** The service that makes the change; undefined: the owner. */
  readonly by?: ManagingService | undefined;
}

/** The removed and added records between two states of one RRset. A new TTL changes every record (RFC 2181 5.2). */
function recordsBetween({ before, after, by }: Rewrite): { deleted?: JournalRecords; added?: JournalRecords } {
  const texts = (set: RRset | undefined) => set?.records.map((record) => record.text) ?? [];
  const [old, now] = [texts(before), texts(after)];
  const sameTtl = before?.ttl === after?.ttl;
  const kept = new Set(sameTtl ? now.filter((text) => old.includes(text)) : []);
  const of = (set: StoredRRset | undefined, list: string[]) => {
    const records = list.filter((text) => !kept.has(text));
    const service = set?.managedBy ?? by;
    const mark = service ? { managed_by: service } : {};
    return set && records.length > 0 ? { name: set.name, type: set.type, ttl: set.ttl, records, ...mark } : undefined;
  };
  const deleted = of(before, old);
  const added = of(after, now);
  return { ...(deleted ? { deleted } : {}), ...(added ? { added } : {}) };
}

/** Only RRsets that differ, and the records between them. */
export function diffRRsets(rewrites: Iterable<Rewrite>): { diff: ZoneDiff; changed: Rewrite[] } {
  const deleted: JournalRecords[] = [];
  const added: JournalRecords[] = [];
  const changed: Rewrite[] = [];
  for (const rewrite of rewrites) {
    const between = recordsBetween(rewrite);
    if (between.deleted) deleted.push(between.deleted);
    if (between.added) added.push(between.added);
    if (between.deleted || between.added) changed.push(rewrite);
  }
  return { diff: { deleted, added }, changed };
}

export function rrsetMap(rrsets: Iterable<StoredRRset>, indexed: Iterable<Name> = []): RRsetMap {
  const map: RRsetMap = new Map();
  for (const name of indexed) map.set(name, new Map());
  for (const rrset of rrsets) {
    const sets = map.get(rrset.name) ?? new Map<string, StoredRRset>();
    map.set(rrset.name, sets.set(rrset.type, rrset));
  }
  return map;
}

export function* rrsetsOf(map: RRsetMap): Generator<StoredRRset> {
  for (const sets of map.values()) yield* sets.values();
}
