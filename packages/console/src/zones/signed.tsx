import type { Name } from '@namehold/dns/editor';
import { useResource } from '../data/resource.ts';
import { may } from '../session/who.ts';
import { checkSet } from './check.ts';
import { type Edits, present, type RRsetText } from './draft.ts';
import { keyTagOf } from './key-tag.ts';
import { words } from './words.ts';

const nameOf = (tag: number, algorithm: number): string => `${tag} ${algorithm}`;

/** Keys of the zone as its DS records would name them. */
function keysIn(set: RRsetText | undefined, origin: Name): ReadonlySet<string> {
  const built = set && set.records.length > 0 ? checkSet(set, origin) : undefined;
  if (!built || !('set' in built)) return new Set();
  return new Set(built.set.records.map(({ wire }) => nameOf(keyTagOf(wire), wire[3] ?? 0)));
}

interface Given {
  readonly domainId: string;
  readonly origin: Name;
  readonly base: ReadonlyMap<string, RRsetText>;
  readonly edits: Edits;
}

/** What the registry hands out for checking answers, beside the zone whose keys it names. The service refuses to take the last one away. */
export function Signed({ domainId, origin, base, edits }: Given) {
  const w = words();
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
      {after ? w.signed.whole(tags) : before ? w.signed.breaks(tags) : w.signed.elsewhere(tags)}{' '}
      <a href={`/app/domains/${origin.slice(0, -1)}/nameservers`}>{w.signed.look}</a>
    </p>
  );
}
