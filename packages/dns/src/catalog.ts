import { createHash } from 'node:crypto';
import { lowerName, type Name } from './name.ts';
import { encodeRdata } from './record.ts';
import type { RRset } from './rrset.ts';

export interface CatalogMember {
  readonly zone: Name;
  /** Stable for the life of the member: after a new label consumers reset their state for it (RFC 9432 4.1). */
  readonly label?: string;
}

interface CatalogZone {
  readonly origin: Name;
  readonly serial: number;
  readonly members: Iterable<CatalogMember>;
  readonly refreshSeconds?: number;
  readonly retrySeconds?: number;
  readonly expireSeconds?: number;
}

const CATALOG_TTL_SECONDS = 0;
const DEFAULT_REFRESH_SECONDS = 3600;
const DEFAULT_RETRY_SECONDS = 600;
const DEFAULT_EXPIRE_SECONDS = 2_147_483_646;

/** A label that depends on the member's name only. */
function memberLabel(zone: Name): string {
  return createHash('sha1').update(lowerName(zone)).digest('hex');
}

function memberName(catalog: Name, member: CatalogMember): Name {
  return `${member.label ?? memberLabel(member.zone)}.zones.${catalog}`;
}

export function memberRRset(catalog: Name, member: CatalogMember): RRset {
  const record = encodeRdata('PTR', { target: lowerName(member.zone) });
  return { name: memberName(catalog, member), type: 'PTR', ttl: CATALOG_TTL_SECONDS, records: [record] };
}

export function catalogSoa(catalog: Omit<CatalogZone, 'members'>): RRset {
  const record = encodeRdata('SOA', {
    mname: 'invalid.',
    rname: 'invalid.',
    serial: catalog.serial,
    refresh: catalog.refreshSeconds ?? DEFAULT_REFRESH_SECONDS,
    retry: catalog.retrySeconds ?? DEFAULT_RETRY_SECONDS,
    expire: catalog.expireSeconds ?? DEFAULT_EXPIRE_SECONDS,
    minimum: CATALOG_TTL_SECONDS,
  });
  return { name: catalog.origin, type: 'SOA', ttl: CATALOG_TTL_SECONDS, records: [record] };
}

/** RFC 9432 4, version 2: SOA, NS, the version, and one PTR for each member. */
export function* catalogRRsets(catalog: CatalogZone): Generator<RRset> {
  const ttl = CATALOG_TTL_SECONDS;
  yield catalogSoa(catalog);
  yield { name: catalog.origin, type: 'NS', ttl, records: [encodeRdata('NS', { target: 'invalid.' })] };
  const version = encodeRdata('TXT', { strings: [Buffer.from('2')] });
  yield { name: `version.${catalog.origin}`, type: 'TXT', ttl, records: [version] };
  for (const member of catalog.members) yield memberRRset(catalog.origin, member);
}
