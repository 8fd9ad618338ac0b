import { sql, type Tx } from '@namehold/base';

export async function deleteEmptyBudgets(tx: Tx): Promise<number> {
  return tx.run(sql`delete from rate_bucket where empties_at < now() - interval '1 hour'`);
}
