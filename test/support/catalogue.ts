import { allTenants } from '@namehold/postgres';
import { seedCatalogue } from '../../packages/server/src/core/tlds/seed.ts';
import { sandboxCatalogue } from '../../packages/server/src/embedded/sandbox-catalogue.ts';
import type { TestService } from './service.ts';

/** Loads the TLDs of the sandbox registry, if they are not loaded. */
export async function loadCatalogue(t: TestService): Promise<void> {
  await t.ctx.db.transaction(allTenants, (tx) => seedCatalogue(t.ctx, tx, sandboxCatalogue()));
}
