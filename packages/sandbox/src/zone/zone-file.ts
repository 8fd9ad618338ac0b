import type { Database } from '@namehold/postgres';
import { registryTenant } from '../registry/registry.ts';
import { sandboxNameservers } from '../tlds/index.ts';
import { type DelegationRow, delegationsAfter } from './delegation.sql.ts';

const pageSize = 2_000;
const delegationTtl = 86_400;
const secondMs = 1_000;

/** RFC 1035 5, in pages, so that a large zone needs no more memory than a small one. */
export async function* zoneFile(db: Database, tld: string, at: Date): AsyncGenerator<string> {
  const serial = Math.floor(at.getTime() / secondMs);
  const [primary] = sandboxNameservers;
  yield `$ORIGIN ${tld}.\n$TTL ${delegationTtl}\n`;
  yield `@ IN SOA ${primary}. hostmaster.${primary.slice(primary.indexOf('.') + 1)}. ${serial} 1800 900 604800 3600\n`;
  yield sandboxNameservers.map((name) => `@ IN NS ${name}.\n`).join('');
  for (let after = ''; ; ) {
    const rows = await delegationsAfter(db.as(registryTenant), tld, after, pageSize);
    if (rows.length > 0) yield rows.map(delegation).join('');
    if (rows.length < pageSize) return;
    after = rows.at(-1)?.name ?? '';
  }
}

const addressRecord = (name: string, address: string): string =>
  `${name}. IN ${address.includes(':') ? 'AAAA' : 'A'} ${address}\n`;

function delegation(row: DelegationRow): string {
  const servers = row.ns_attributes?.map((host) => host.name) ?? row.hosts;
  const glue = [
    ...row.glue,
    ...(row.ns_attributes ?? []).flatMap(({ name, addresses }) => addresses.map(({ address }) => ({ name, address }))),
  ];
  const signed = servers.length > 0 ? row.ds : [];
  return [
    ...servers.map((server) => `${row.name}. IN NS ${server}.\n`),
    ...signed.map((ds) => `${row.name}. IN DS ${ds.tag} ${ds.alg} ${ds.type} ${ds.digest}\n`),
    ...glue.map(({ name, address }) => addressRecord(name, address)),
  ].join('');
}
