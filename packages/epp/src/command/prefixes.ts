import type { Namespaces } from '../profile.ts';
import { TLD_EXTENSIONS } from '../tld/index.ts';
import type { PrefixHints } from '../xml/write.ts';

const PREFIX_BY_PART: Readonly<Partial<Record<keyof Namespaces, string>>> = {
  domain: 'domain',
  contact: 'contact',
  host: 'host',
  secDNS: 'secDNS',
  rgp: 'rgp',
  fee: 'fee',
  loginSec: 'loginSec',
  lowBalancePoll: 'lowbalance-poll',
  rgpPoll: 'rgp-poll',
  balance: 'balance',
  changePoll: 'changePoll',
  maintenance: 'maint',
  idn: 'idn',
  launch: 'launch',
  allocationToken: 'allocationToken',
  orgext: 'orgext',
  sync: 'sync',
  keysys: 'keysys',
  ...Object.fromEntries(TLD_EXTENSIONS.map(({ part, prefix }) => [part, prefix])),
};

const known = new WeakMap<Namespaces, PrefixHints>();

/** The customary prefixes; some old servers depend on them. */
export function prefixes(ns: Namespaces): PrefixHints {
  const ready = known.get(ns);
  if (ready !== undefined) return ready;
  const hints: Record<string, string> = {};
  for (const [part, prefix] of Object.entries(PREFIX_BY_PART)) {
    const uri = ns[part as keyof Namespaces];
    if (uri !== undefined) hints[uri] = prefix;
  }
  known.set(ns, hints);
  return hints;
}
