import type { Database } from '@namehold/postgres';
import { registryAccountId } from '../identity/accounts.ts';
import { sandboxNameservers } from '../tlds/index.ts';
import { addYears } from './calendar.ts';
import { registryTenant } from './registry.ts';
import { seedDomain, seedHost } from './seed.sql.ts';

const address = '127.0.0.1';
const yearsAhead = 100;

/** Creates the registry's own domain with the default name servers of others. It never expires. */
export async function seedNameServers(db: Database, at: Date): Promise<void> {
  const parent = sandboxNameservers[0].slice(sandboxNameservers[0].indexOf('.') + 1);
  const expiresAt = addYears(at, yearsAhead);
  await db.transaction(registryTenant, async (tx) => {
    const domain = await seedDomain(tx, { name: parent, owner: registryAccountId, at, expiresAt });
    if (domain === undefined) return;
    for (const name of sandboxNameservers)
      await seedHost(tx, { name, address, domainId: domain.id, owner: registryAccountId, at });
  });
}
