import { sql, type Tx } from '@namehold/postgres';
import type { Domain } from '../../model/domain.ts';
import type { OperationOf } from '../../model/operation.ts';
import { operationColumns } from '../../operations/operation.sql.ts';
import { domainTable } from '../../tables/domain.sql.ts';

export type OpenOrder = OperationOf<'register' | 'transfer'> & {
  /** No process runs the operation, and its create command has not been sent. */
  readonly is_unsent: boolean;
};

/** The open registration or transfer. Its row stays locked, so that no process starts to run it meanwhile. */
export async function lockOpenOrder(tx: Tx, domainId: string): Promise<OpenOrder | undefined> {
  return tx.maybe<OpenOrder>(sql`
    select ${operationColumns}, o.state = 'intended' and (o.leased_until is null or o.leased_until <= now())
      and not exists (select from registry_command c where c.operation_id = o.id and c.verb = 'create' and c.object = 'domain') as is_unsent
    from operation o
    where o.domain_id = ${domainId} and o.kind in ('register', 'transfer') and o.state not in ('done', 'refused', 'cancelled') for update`);
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
    where id = ${id} and state in ('pending', 'unpaid') returning ${domainTable.columns}`);
}
