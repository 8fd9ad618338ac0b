import { everyTenant, sql } from '@namehold/base';
import type { House } from '../house.ts';

/** Budgets of callers that stayed away; a bucket that is empty is as good as none. */
export async function forgetBudgets(house: House): Promise<number> {
  return house.db.transaction(everyTenant, (tx) =>
    tx.run(sql`delete from rate_bucket where empties_at < now() - interval '1 hour'`),
  );
}
