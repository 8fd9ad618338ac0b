import { type Name, relativeTo } from './name.ts';
import { canonicalKey } from './name-order.ts';
import type { RRset } from './rrset.ts';

/** SOA and NS come first at a name; the rest by type name. */
const FIRST_TYPES = ['SOA', 'NS'];

/** A master file that BIND, Knot, NSD and ldns read: $ORIGIN, $TTL, RRsets in canonical order, apex first. */
export function writeZoneFile(origin: Name, rrsets: Iterable<RRset>): string {
  const sorted = [...rrsets]
    .map((rrset) => ({ rrset, key: canonicalKey(rrset.name), rank: typeRank(rrset.type) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0));
  const defaultTtl = commonTtl(sorted.map((entry) => entry.rrset));
  const lines = [`$ORIGIN ${origin}`];
  if (defaultTtl !== undefined) lines.push(`$TTL ${defaultTtl}`);
  let lastOwner: Name | undefined;
  for (const { rrset } of sorted) {
    const ttl = rrset.ttl === defaultTtl ? '' : `${rrset.ttl}\t`;
    for (const record of rrset.records) {
      const owner = rrset.name === lastOwner ? '' : relativeTo(rrset.name, origin);
      lines.push(`${owner}\t${ttl}IN\t${rrset.type}\t${record.text}`);
      lastOwner = rrset.name;
    }
  }
  return `${lines.join('\n')}\n`;
}

function typeRank(type: string): string {
  const first = FIRST_TYPES.indexOf(type);
  return first < 0 ? `9${type}` : `${first}`;
}

function commonTtl(rrsets: readonly RRset[]): number | undefined {
  const counts = new Map<number, number>();
  for (const rrset of rrsets) counts.set(rrset.ttl, (counts.get(rrset.ttl) ?? 0) + rrset.records.length);
  return [...counts].sort(([ttlA, a], [ttlB, b]) => b - a || ttlA - ttlB)[0]?.[0];
}
