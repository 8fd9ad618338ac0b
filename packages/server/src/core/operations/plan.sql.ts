import { allTenants, sql } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import type { Operation } from '../model/operation.ts';
import { LeaseLost } from './journal.sql.ts';

/** Only with a valid fence: a process that lost its lease cannot store a plan. */
export async function keepPlan(
  ctx: AppContext,
  operation: Pick<Operation, 'id' | 'fence'>,
  plan: object,
): Promise<void> {
  const kept = await ctx.db.autocommit(allTenants).run(sql`
    update operation set outcome = ${JSON.stringify({ plan })} where id = ${operation.id} and fence = ${operation.fence}`);
  if (kept !== 1) throw new LeaseLost(`operation ${operation.id} now belongs to another process`);
}
