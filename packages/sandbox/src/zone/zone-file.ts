import { type Database, sql } from '@namehold/base';
import type { HostAttribute } from '@namehold/epp';
import { registryTenant } from '../registry/registry.ts';
import { sandboxNameservers } from '../tlds/index.ts';

const pageSize = 2_000;
const delegationTtl = 86_400;
const secondMs = 1_000;

interface DelegationRow {
  readonly name: string;
  readonly hosts: readonly string[];
  readonly ns_attributes: readonly HostAttribute[] | null;
  readonly ds: readonly {
    readonly tag: number;
    readonly alg: number;
    readonly type: number;
    readonly digest: string;
  }[];
  readonly glue: readonly { readonly name: string; readonly address: string }[];
}

/** RFC 1035 5, page by page, so that a large zone needs no more memory than a small one. */
export async function* zoneFile(db: Database, tld: string, at: Date): AsyncGenerator<string> {
  const serial = Math.floor(at.getTime() / secondMs);
  const [primary] = sandboxNameservers;
  yield `$ORIGIN ${tld}.\n$TTL ${delegationTtl}\n`;
  yield `@ IN SOA ${primary}. hostmaster.${primary.slice(primary.indexOf('.') + 1)}. ${serial} 1800 900 604800 3600\n`;
  yield sandboxNameservers.map((name) => `@ IN NS ${name}.\n`).join('');
  for (let after = ''; ; ) {
    const rows = await page(db, tld, after);
    if (rows.length > 0) yield rows.map(delegation).join('');
    if (rows.length < pageSize) return;
    after = rows.at(-1)?.name ?? '';
  }
}

/** What is on hold, deleted or not yet approved is not in the zone (RFC 5731 2.3). */
function page(db: Database, tld: string, after: string): Promise<DelegationRow[]> {
  return db.as(registryTenant).many<DelegationRow>(sql`
    select d.name, d.ns_attributes,
      array(select h.name from domain_host dh join host h on h.id = dh.host_id where dh.domain_id = d.id order by h.name) as hosts,
      coalesce((select json_agg(json_build_object('tag', s.key_tag, 'alg', s.alg, 'type', s.digest_type, 'digest', s.digest)
        order by s.key_tag, s.digest) from domain_ds s where s.domain_id = d.id), '[]') as ds,
      coalesce((select json_agg(json_build_object('name', h.name, 'address', host(a.address)) order by h.name, a.address)
        from host h join host_address a on a.host_id = h.id where h.superordinate = d.id
          and exists (select 1 from domain_host dh where dh.host_id = h.id)), '[]') as glue
    from domain d
    where d.tld = ${tld} and d.name > ${after} and d.phase = 'active'
      and not d.statuses && array['clientHold', 'serverHold']
    order by d.name limit ${pageSize}`);
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
