import { isSubdomain, type Name, parentOf, type RRset } from '@namehold/dns';

export type ZoneState = 'active' | 'withdrawn' | 'deleted';

/** The fields of the SOA that the owner may set; serial and first nameserver are set by the service. */
export interface SoaFields {
  readonly rname: Name;
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  readonly minimum: number;
}

export interface Zone extends SoaFields {
  readonly id: string;
  readonly reseller_id: string;
  readonly domain_id: string;
  readonly name: Name;
  readonly serial: number;
  readonly state: ZoneState;
  readonly mname: Name;
  readonly record_count: number;
  readonly catalog_label: string;
  readonly changed_at: Date;
  readonly created_at: Date;
  readonly withdrawn_at: Date | null;
  readonly deleted_at: Date | null;
}

export type ChangeKind = 'create' | 'change' | 'replace' | 'import' | 'rollback' | 'template';

/** Services that manage records in a zone, beside the owner's records. */
export type ManagingService = 'url_forwarding' | 'mail_forwarding' | 'mta_sts' | 'acme';

/** An RRset as it is stored: one that a service manages cannot be written by the owner. */
export interface StoredRRset extends RRset {
  readonly managedBy?: ManagingService;
}

/** Removed or added records in the journal: canonical text, not whole RRsets. */
export interface JournalRecords {
  readonly name: Name;
  readonly type: string;
  readonly ttl: number;
  readonly records: readonly string[];
  /** A service added or removed them, so a roll-back leaves them alone. */
  readonly managed_by?: ManagingService;
}

export interface ZoneDiff {
  readonly deleted: readonly JournalRecords[];
  readonly added: readonly JournalRecords[];
}

/** The RRsets of some names, by name and type. A name without types was read and is empty. */
export type RRsetMap = Map<Name, Map<string, StoredRRset>>;

/** A domain name as the origin of its zone. */
export function zoneName(domainName: string): Name {
  return `${domainName}.`;
}

export function countRecords(sets: Iterable<{ readonly records: readonly unknown[] }>): number {
  let count = 0;
  for (const set of sets) count += set.records.length;
  return count;
}

/** The names above the given one within the zone, up to the origin. */
export function namesAbove(name: Name, origin: Name): Name[] {
  const names: Name[] = [];
  for (let at = parentOf(name); at !== undefined && isSubdomain(at, origin); at = parentOf(at)) names.push(at);
  return names;
}
