import type { HostAttribute } from '@namehold/epp';
import { type Reader, sql } from '@namehold/postgres';

export interface DelegationRow {
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

/** Domains that are on hold, deleted or not yet approved are not in the zone (RFC 5731 2.3). */
export function delegationsAfter(db: Reader, tld: string, after: string, limit: number): Promise<DelegationRow[]> {
  return db.many<DelegationRow>(sql`
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
    order by d.name limit ${limit}`);
}
