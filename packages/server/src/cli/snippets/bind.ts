import { keyOf, type SnippetFacts, type SnippetPart } from './snippet.ts';

/** BIND 9.18 or newer. The rates are raised because thousands of new zones take minutes with the defaults. */
export function bindSnippet(facts: SnippetFacts): SnippetPart[] {
  const key = keyOf(facts);
  const primaries = `{ ${facts.primaryAddress} port ${facts.primaryPort}${key ? ` key "${key.name}"` : ''}; }`;
  const options = `// inside options { ... }
  recursion no;
  notify no;
  // By default BIND allows zone transfers to any client, including the catalog with all domain names
  allow-transfer { none; };
  allow-new-zones yes;
  transfers-in 500;
  transfers-per-ns 500;
  serial-query-rate 2000;
  catalog-zones {
    zone "${facts.catalogZone}" default-primaries ${primaries} zone-directory "/var/cache/bind/namehold" min-update-interval 1;
  };
`;
  const top = `${key ? `key "${key.name}" { algorithm ${key.algorithm}; secret "${key.secret}"; };\n` : ''}zone "${facts.catalogZone}" {
  type secondary;
  primaries ${primaries};
  file "/var/cache/bind/namehold/catalog.db";
  allow-query { localhost; };
};
`;
  return [
    { file: '/etc/bind/named.conf.options', text: options },
    { file: '/etc/bind/named.conf.local', text: top },
  ];
}
