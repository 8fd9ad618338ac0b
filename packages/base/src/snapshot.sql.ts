import type { Database, Tx } from './database.ts';
import { sql } from './sql.ts';
import { allTenants, type Tenant } from './tenant.ts';

/**
 * Everything read inside is of one moment, however many statements it takes: what commits meanwhile must not look like a difference. Nobody waits for a row of
 * it, so it may be silent for longer: a secondary may take its time to read a zone.
 */
export function inSnapshot<T>(db: Database, work: (tx: Tx) => Promise<T>, tenant: Tenant = allTenants): Promise<T> {
  return db.transaction(tenant, async (tx) => {
    await tx.run(sql`set transaction isolation level repeatable read, read only`);
    await tx.run(sql`set local idle_in_transaction_session_timeout = '60s'`);
    return work(tx);
  });
}

/** For the rest of the transaction: work over everything may take as long as it takes. */
export async function withoutTimeout(tx: Tx): Promise<void> {
  await tx.run(sql`set local statement_timeout = 0`);
}
