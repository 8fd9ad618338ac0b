import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { HostAddresses } from '../../ports/registry.ts';

export async function readChildHosts(db: Reader, domainId: string): Promise<HostAddresses[]> {
  return db.many<HostAddresses>(
    sql`select hostname, addresses from child_host where domain_id = ${domainId} order by hostname`,
  );
}

export async function saveChildHost(
  tx: Tx,
  domain: { readonly id: string; readonly reseller_id: string },
  host: HostAddresses,
): Promise<void> {
  await tx.run(sql`
    insert into child_host (domain_id, reseller_id, hostname, addresses)
    values (${domain.id}, ${domain.reseller_id}, ${host.hostname}, ${host.addresses})
    on conflict (domain_id, hostname) do update set addresses = excluded.addresses`);
}

export async function dropChildHost(tx: Tx, domainId: string, hostname: string): Promise<void> {
  await tx.run(sql`delete from child_host where domain_id = ${domainId} and hostname = ${hostname}`);
}

/** RFC 5732 3.2.5: a rename affects every domain that is delegated to the host, in any account. */
export async function renameNameserver(tx: Tx, registryId: string, from: string, to: string, now: Date): Promise<void> {
  await tx.run(sql`
    update domain set nameservers = array_replace(nameservers, ${from}, ${to}), updated_at = ${now}
    where registry_id = ${registryId} and ${from} = any (nameservers) and state not in ('removed', 'unpaid')`);
}
