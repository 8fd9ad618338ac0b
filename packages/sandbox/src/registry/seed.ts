import { type Database, sql } from '@namehold/base';
import { registryAccountId } from '../identity/accounts.ts';
import { sandboxNameservers } from '../tlds/index.ts';
import { addYears } from './calendar.ts';
import { registryTenant } from './registry.ts';

const address = '127.0.0.1';
const yearsAhead = 100;

/** The registry's own domain with the name servers that others use by default. It never comes to its end. */
export async function seedNameServers(db: Database, at: Date): Promise<void> {
  const parent = sandboxNameservers[0].slice(sandboxNameservers[0].indexOf('.') + 1);
  const expiresAt = addYears(at, yearsAhead);
  await db.transaction(registryTenant, async (tx) => {
    const domain = await tx.maybe<{ id: string }>(sql`
      insert into domain (name, tld, sponsor, creator, created_at, expires_at, phase, due_at, statuses)
      values (${parent}, ${parent.slice(parent.indexOf('.') + 1)}, ${registryAccountId}, ${registryAccountId}, ${at}, ${expiresAt},
        'active', ${expiresAt}, '{serverDeleteProhibited,serverTransferProhibited,serverUpdateProhibited,serverRenewProhibited}')
      on conflict (name) do nothing returning id`);
    if (domain === undefined) return;
    for (const name of sandboxNameservers) {
      await tx.run(sql`
        with made as (
          insert into host (name, superordinate, sponsor, creator, created_at)
          values (${name}, ${domain.id}, ${registryAccountId}, ${registryAccountId}, ${at}) returning id
        ), addressed as (
          insert into host_address (host_id, address) select id, ${address}::inet from made
        )
        insert into domain_host (domain_id, host_id) select ${domain.id}, id from made`);
    }
  });
}
