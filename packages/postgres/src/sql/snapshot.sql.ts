import type { Database, Tx } from '../database.ts';
import { allTenants, type Tenant } from '../tenants/tenant.ts';
import { sql } from './sql.ts';

/**
 * All reads inside see one snapshot, so that concurrent commits do not look like differences. It holds no row locks, so it may be idle
 * for longer: a secondary may be slow to read a zone transfer.
 */
export function inSnapshot<T>(db: Database, work: (tx: Tx) => Promise<T>, tenant: Tenant = allTenants): Promise<T> {
  return db.transaction(tenant, async (tx) => {
    await tx.run(sql`set transaction isolation level repeatable read, read only`);
    await tx.run(sql`set local idle_in_transaction_session_timeout = '60s'`);
    return work(tx);
  });
}

/** Removes the statement timeout for the rest of the transaction: work over all rows may take long. */
export async function withoutTimeout(tx: Tx): Promise<void> {
  await tx.run(sql`set local statement_timeout = 0`);
}
