import { sql, type Tx } from '@namehold/postgres';

/** An empty bucket allows as much as a missing one. */
export async function deleteEmptyBudgets(tx: Tx): Promise<number> {
  return tx.run(sql`delete from rate_bucket where empties_at < now()`);
}
