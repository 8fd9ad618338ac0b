import { keyOf, type SnippetFacts, type SnippetPart } from './snippet.ts';

/** NSD 4.6, which does not support catalog zones: zones are added by nsd-control. */
export function nsdSnippet(facts: SnippetFacts): SnippetPart[] {
  const key = keyOf(facts);
  const keyName = key?.name ?? 'NOKEY';
  const text = `${key ? `key:\n  name: "${key.name}"\n  algorithm: ${key.algorithm}\n  secret: "${key.secret}"\n` : ''}pattern:
  name: "namehold-member"
  zonefile: "%s.zone"
  request-xfr: ${facts.primaryAddress}@${facts.primaryPort} ${keyName}
  allow-notify: ${facts.primaryAddress} ${keyName}
remote-control:
  control-enable: yes
`;
  const commands = `# for each new zone:
nsd-control addzone example.com namehold-member
# for each deleted zone:
nsd-control delzone example.com
`;
  return [
    { file: '/etc/nsd/nsd.conf.d/namehold.conf', text },
    { file: 'commands', text: commands },
  ];
}
