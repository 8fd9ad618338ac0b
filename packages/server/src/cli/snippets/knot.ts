import { keyOf, type SnippetFacts, type SnippetPart } from './snippet.ts';

/** Knot DNS 3.2 or newer. Member zones are stored only in the journal, so no zone files remain. */
export function knotSnippet(facts: SnippetFacts): SnippetPart[] {
  const key = keyOf(facts);
  const text = `${key ? `key:\n  - id: ${key.name}\n    algorithm: ${key.algorithm}\n    secret: ${key.secret}\n` : ''}remote:
  - id: namehold
    address: ${facts.primaryAddress}@${facts.primaryPort}${key ? `\n    key: ${key.name}` : ''}
acl:
  - id: namehold-notify
    address: ${facts.primaryAddress}${key ? `\n    key: ${key.name}` : ''}
    action: notify
template:
  - id: namehold-member
    storage: /var/lib/knot
    master: namehold
    acl: namehold-notify
    zonefile-sync: -1
    zonefile-load: none
    journal-content: all
zone:
  - domain: ${facts.catalogZone}
    storage: /var/lib/knot
    master: namehold
    acl: namehold-notify
    zonefile-sync: -1
    zonefile-load: none
    journal-content: all
    catalog-role: interpret
    catalog-template: namehold-member
`;
  return [{ file: '/etc/knot/knot.conf', text }];
}
