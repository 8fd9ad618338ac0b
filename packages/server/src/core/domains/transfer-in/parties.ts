import { allTenants } from '@namehold/postgres';
import { rolesOf, sentRolesOf } from '../../model/domain.ts';
import { keepsContacts } from '../../model/tld.ts';
import type { Run } from '../../operations/run.ts';
import type { TransferParties } from '../../ports/registry.ts';
import { readNewDomain } from '../domain.sql.ts';
import { type Ensured, ensureContacts } from '../registry/ensure-contacts.ts';

/** Contacts, nameservers and additional fields for a registry that takes them with a transfer; elsewhere they are set after it. */
export async function transferParties(run: Run<'transfer'>): Promise<Ensured<TransferParties>> {
  const { ctx, registry, operation } = run;
  if (!registry.takesPartiesWithTransfer) return { kind: 'ready', value: {} };
  const { domain, rules, handles } = await readNewDomain(ctx.db.as(allTenants), operation.domain_id);
  const roles = sentRolesOf(rolesOf(domain), registry.capabilitiesOf(domain.name));
  const ids = keepsContacts(rules) ? Object.values(roles).filter((id) => id !== null) : [];
  const ensured = await ensureContacts(run, ids, undefined, handles);
  if (ensured.kind === 'stopped') return ensured;
  const handle = (role: keyof typeof roles) => {
    const known = ensured.value.get(roles[role] ?? '');
    return known === undefined ? {} : { [role]: known };
  };
  const nameservers = operation.request.nameservers?.map((hostname) => ({ hostname, addresses: [] })) ?? [];
  return {
    kind: 'ready',
    value: {
      ...handle('registrant'),
      contacts: { ...handle('admin'), ...handle('tech'), ...handle('billing') },
      nameservers,
      extra: domain.extra,
    },
  };
}
