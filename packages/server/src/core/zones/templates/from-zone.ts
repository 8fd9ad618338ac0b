import { type Name, relativeTo } from '@namehold/dns';
import type { StoredRRset } from '../../model/zone.ts';
import type { TemplateRRset } from './template.ts';

/** A zone with its domain replaced by `{domain}`, without records of services, the SOA, the zone's nameservers and its keys. */
export function templateOf(rrsets: readonly StoredRRset[], origin: Name): TemplateRRset[] {
  const bare = origin.slice(0, -1);
  const own = new RegExp(`(?<![a-z0-9_-])${RegExp.escape(bare)}(?![a-z0-9_-]|\\.[a-z0-9_-])`, 'gi');
  const isOwners = ({ name, type, managedBy }: StoredRRset) =>
    managedBy === undefined && type !== 'SOA' && !(name === origin && (type === 'NS' || keyTypes.has(type)));
  return rrsets.filter(isOwners).map(({ name, type, ttl, records }) => ({
    name: relativeTo(name, origin),
    type,
    ttl,
    records: records.map((record) => record.text.replaceAll(own, '{domain}')),
  }));
}

const keyTypes = new Set(['DNSKEY', 'CDS', 'CDNSKEY']);
