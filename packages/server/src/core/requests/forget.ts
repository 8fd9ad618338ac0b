import { everyTenant, sql } from '@namehold/base';
import type { House } from '../house.ts';

/** How long the answer to an Idempotency-Key can be asked for again. */
export const answersKeptMs = 72 * 3_600_000;

export async function forgetAnswers(house: House): Promise<number> {
  const before = new Date(house.wall.now().getTime() - answersKeptMs);
  return house.db.transaction(everyTenant, (tx) => tx.run(sql`delete from idempotency where created_at < ${before}`));
}

/** Budgets of callers that stayed away; a bucket that is empty is as good as none. */
export async function forgetBudgets(house: House): Promise<number> {
  return house.db.transaction(everyTenant, (tx) =>
    tx.run(sql`delete from rate_bucket where empties_at < now() - interval '1 hour'`),
  );
}
