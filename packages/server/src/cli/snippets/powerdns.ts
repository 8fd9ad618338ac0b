import { keyOf, type SnippetFacts, type SnippetPart } from './snippet.ts';

/** PowerDNS Authoritative 4.7 or newer. It transfers member zones unsigned, so it is identified by its address. */
export function powerdnsSnippet(facts: SnippetFacts): SnippetPart[] {
  const key = keyOf(facts);
  // allow-axfr-ips is 127.0.0.0/8 and ::1 by default, so without disable-axfr every local program could transfer zones.
  const conf = `secondary=yes
disable-axfr=yes
xfr-cycle-interval=1
cache-ttl=1
`;
  const { catalogZone: zone } = facts;
  const commands = `${key ? `pdnsutil import-tsig-key ${key.name} ${key.algorithm} '${key.secret}'\n` : ''}pdnsutil create-secondary-zone ${zone} ${facts.primaryAddress}:${facts.primaryPort}
pdnsutil set-kind ${zone} consumer
${key ? `pdnsutil activate-tsig-key ${zone} ${key.name} secondary\n` : ''}`;
  return [
    { file: '/etc/powerdns/pdns.d/namehold.conf', text: conf },
    { file: 'commands', text: commands },
  ];
}
