import { sql, type Tx } from '@namehold/base';
import { domainTable } from '../domain.sql.ts';
import type { Domain } from '../domain.ts';

/** True where the registration is queued and no process runs it; its row stays locked, so that none begins meanwhile. */
export async function lockUnsentOrder(tx: Tx, domainId: string): Promise<boolean> {
  const row = await tx.maybe<{ is_unsent: boolean }>(sql`
    select o.state = 'intended' and (o.leased_until is null or o.leased_until <= now())
      and not exists (select from registry_command c where c.operation_id = o.id and c.verb = 'create' and c.object = 'domain') as is_unsent
    from operation o
    where o.domain_id = ${domainId} and o.kind = 'register' and o.state not in ('done', 'refused', 'cancelled') for update`);
  return row?.is_unsent ?? false;
}

export async function replaceContacts(
  tx: Tx,
  id: string,
  contacts: { registrant: string | null; admin: string | null; tech: string | null; billing: string | null },
  now: Date,
): Promise<Domain> {
  return tx.one<Domain>(sql`
    update domain set registrant_contact_id = ${contacts.registrant}, admin_contact_id = ${contacts.admin},
      tech_contact_id = ${contacts.tech}, billing_contact_id = ${contacts.billing}, updated_at = ${now}
    where id = ${id} and state = 'pending' returning ${domainTable.columns}`);
}
