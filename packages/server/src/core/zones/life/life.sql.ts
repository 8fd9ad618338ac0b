import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Domain, DomainState } from '../../model/domain.ts';
import type { Zone } from '../../model/zone.ts';
import type { DsRecord } from '../../ports/registry.ts';

/** The state under a lock that allows concurrent reads but no changes. */
export async function shareState(tx: Tx, domain: Pick<Domain, 'id' | 'reseller_id'>): Promise<DomainState | undefined> {
  const row = await tx.maybe<{ state: DomainState }>(sql`
    select state from domain where id = ${domain.id} and reseller_id = ${domain.reseller_id} for share`);
  return row?.state;
}

export async function apexNameservers(db: Reader, zone: Pick<Zone, 'id' | 'name'>): Promise<string[]> {
  const row = await db.maybe<{ records: string[] }>(sql`
    select records from zone_rrset where zone_id = ${zone.id} and name = ${zone.name} and type = 'NS'`);
  return row?.records ?? [];
}

/** The delegation at the registry, and the changes for which the account requires approval. */
export async function delegationOf(
  db: Reader,
  zone: Pick<Zone, 'domain_id' | 'reseller_id'>,
): Promise<{ readonly nameservers: string[]; readonly second_yes: string[] }> {
  return db.one(sql`
    select d.nameservers, second_yes_of(d.reseller_id) as second_yes from domain d
    where d.id = ${zone.domain_id} and d.reseller_id = ${zone.reseller_id}`);
}

export async function dsOf(db: Reader, zone: Pick<Zone, 'domain_id' | 'reseller_id'>): Promise<readonly DsRecord[]> {
  const found = await db.one<{ readonly ds: DsRecord[] }>(sql`
    select ds from domain where id = ${zone.domain_id} and reseller_id = ${zone.reseller_id}`);
  return found.ds;
}

interface ChildHost {
  readonly hostname: string;
  readonly addresses: string[];
}

export async function childHosts(db: Reader, domainId: string, names: readonly string[]): Promise<ChildHost[]> {
  return db.many<ChildHost>(sql`
    select hostname, addresses from child_host where domain_id = ${domainId} and hostname = any(${names}::text[])`);
}
