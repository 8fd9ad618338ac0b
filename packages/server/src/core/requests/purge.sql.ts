import { sql, type Tx } from '@namehold/base';

/** An empty bucket grants as much as one that does not exist. */
export async function deleteEmptyBudgets(tx: Tx): Promise<number> {
  return tx.run(sql`delete from rate_bucket where empties_at < now()`);
}
