import { allTenants, sql } from '@namehold/postgres';
import type { TestService } from './service.ts';

let made = 0;

/**
 * Inserts a live domain as a row, for tests of code that refers to domains. No registry is queried, and background jobs consider it
 * compared just now.
 */
export async function insertDomainRow(
  t: TestService,
  domain: { resellerId: string; customerId: string; contactId?: string; name?: string; state?: 'live' | 'pending' },
): Promise<string> {
  made += 1;
  const { name = `row${made}.com`, state = 'live' } = domain;
  const tld = name.slice(name.indexOf('.') + 1);
  return t.ctx.db.transaction(allTenants, async (tx) => {
    const present = await tx.maybe<{ id: string }>(sql`select id from registry order by id limit 1`);
    const registryId = present?.id ?? 'test';
    if (!present) {
      await tx.run(sql`
        insert into registry (id, profile, host, port, client_id, secrets_sealed, created_at)
        values (${registryId}, '{}', '127.0.0.1', 1, 'test', '', ${t.ctx.clock.now()})`);
    }
    const contact = domain.contactId ?? null;
    const row = await tx.one<{ id: string }>(sql`
      insert into domain (reseller_id, customer_id, name, tld, registry_id, state, registrant_contact_id, admin_contact_id,
        end_date, compared_at, created_at, updated_at)
      values (${domain.resellerId}, ${domain.customerId}, ${name}, ${tld}, ${registryId}, ${state}, ${contact}, ${contact},
        ${new Date(t.ctx.clock.now().getTime() + 365 * 86_400_000)}, ${t.ctx.clock.now()}, ${t.ctx.clock.now()}, ${t.ctx.clock.now()})
      returning id`);
    return row.id;
  });
}

export async function removeDomainRow(
  t: TestService,
  id: string,
  reason: 'deleted' | 'refused' = 'deleted',
): Promise<void> {
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`
      update domain set state = 'removed', removed_reason = ${reason}, removed_at = ${t.ctx.clock.now()} where id = ${id}`),
  );
}
