import { allTenants, sql } from '@namehold/postgres';
import { insertDomainRow } from '../../../../test/support/domain-row.ts';
import type { Called, TestService } from '../../../../test/support/service.ts';

/** An active domain of the demo reseller, created without a registry. */
export function makeDomain(t: TestService, name?: string): Promise<string> {
  return insertDomainRow(t, { resellerId: '1000', customerId: '2001', ...(name ? { name } : {}) });
}

interface RRsetBody {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly records: string[];
}

/** The RRsets of a zone without its SOA, and its serial; undefined if there is no zone. */
export async function zoneOf(t: TestService, id: string): Promise<{ serial: number; rrsets: RRsetBody[] } | undefined> {
  const called = await t.call('GET', `/v1/domains/${id}/zone/rrsets`);
  if (called.status === 404) return undefined;
  if (called.status !== 200) throw new Error(called.text);
  const { serial, rrsets } = called.body as { serial: number; rrsets: RRsetBody[] };
  return { serial, rrsets: rrsets.filter((set) => set.type !== 'SOA') };
}

export async function recordsAt(t: TestService, id: string, name: string, type: string): Promise<string[]> {
  const zone = await zoneOf(t, id);
  return zone?.rrsets.find((set) => set.name === name && set.type === type)?.records ?? [];
}

export function patch(
  t: TestService,
  id: string,
  rrsets: readonly object[],
  more: { headers?: Record<string, string>; body?: object; as?: string } = {},
): Promise<Called> {
  return t.call('PATCH', `/v1/domains/${id}/zone/rrsets`, {
    json: { rrsets, ...more.body },
    ...(more.headers ? { headers: more.headers } : {}),
    ...(more.as ? { as: more.as } : {}),
  });
}

/** All zone data in the database, to show that a refused call changed nothing. */
export async function zoneRows(t: TestService): Promise<unknown> {
  const db = t.ctx.db.as(allTenants);
  const counts = await db.one(sql`
    select (select count(*) from zone) as zones, (select count(*) from zone_rrset) as rrsets, (select count(*) from zone_change) as changes,
           (select count(*) from zone_membership) as memberships, (select count(*) from event where type in ('zone.created', 'zone.changed', 'zone.deleted')) as events, (select count(*) from audit) as audits,
           (select coalesce(sum(serial), 0) from zone) as serials, (select md5(coalesce(string_agg(r::text, '|' order by zone_id, name, type), '')) from zone_rrset r) as content`);
  return counts;
}
