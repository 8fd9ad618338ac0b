import type { Name } from '@namehold/dns/editor';
import { useResource } from '../data/resource.ts';
import { may } from '../session/current-session.ts';
import { checkSet } from './check.ts';
import { type Edits, present, type RRsetText } from './draft.ts';
import { keyTagOf } from './key-tag.ts';
import { messages } from './messages.ts';

const nameOf = (tag: number, algorithm: number): string => `${tag} ${algorithm}`;

/** The keys of the zone as in DS records. */
function keysIn(set: RRsetText | undefined, origin: Name): ReadonlySet<string> {
  const built = set && set.records.length > 0 ? checkSet(set, origin) : undefined;
  if (!built || !('set' in built)) return new Set();
  return new Set(built.set.records.map(({ wire }) => nameOf(keyTagOf(wire), wire[3] ?? 0)));
}

interface Props {
  readonly domainId: string;
  readonly origin: Name;
  readonly base: ReadonlyMap<string, RRsetText>;
  readonly edits: Edits;
}

/** Compares the DS records at the registry with the keys of the zone. The service refuses to delete the last matching key. */
export function DnssecNote({ domainId, origin, base, edits }: Props) {
  const t = messages();
  const path = { domain_id: domainId };
  const found = useResource('/domains/{domain_id}/dnssec', may('domains:read') ? { path } : undefined);
  const ds = found.data ?? [];
  if (ds.length === 0) return null;
  const key = `${origin} DNSKEY`;
  const isSignedBy = (set: RRsetText | undefined) => {
    const keys = keysIn(set, origin);
    return ds.some(({ keytag, algorithm }) => keys.has(nameOf(Number(keytag), Number(algorithm))));
  };
  const [before, after] = [isSignedBy(base.get(key)), isSignedBy(present(base, edits, key))];
  const tags = ds.map(({ keytag }) => keytag).join(', ');
  return (
    <p class={after ? 'faint' : 'zone-banner'} role={before && !after ? 'alert' : 'note'}>
      {after ? t.dnssec.whole(tags) : before ? t.dnssec.breaks(tags) : t.dnssec.elsewhere(tags)}{' '}
      <a href={`/app/domains/${origin.slice(0, -1)}/nameservers`}>{t.dnssec.viewRecords}</a>
    </p>
  );
}
