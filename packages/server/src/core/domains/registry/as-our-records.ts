import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../../app-context.ts';
import type { RegistryDomain } from '../../ports/registry.ts';
import { readDomain } from '../../tables/domain.sql.ts';

/** The registry's last known view of an active domain, for a registry that does not answer and an outcome that a user has decided. */
export async function asOurRecords(
  ctx: AppContext,
  domainId: string,
  since: Partial<RegistryDomain> = {},
): Promise<RegistryDomain> {
  const domain = await readDomain(ctx.db.as(allTenants), domainId);
  return {
    name: domain.name,
    sponsor: null,
    isOurs: true,
    createdAt: domain.registry_created_at,
    updatedAt: null,
    expiresAt: domain.registry_expires_at,
    transferredAt: null,
    statuses: domain.registry_status.filter((status) => !status.startsWith('pending')),
    rgpStatuses: [],
    registrant: null,
    contacts: {},
    nameservers: domain.nameservers,
    hosts: [],
    ds: domain.ds,
    ...since,
  };
}
