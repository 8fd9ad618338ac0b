import { allTenants } from '@namehold/base';
import type { AppContext } from '../app-context.ts';
import { deleteEmptyBudgets } from './purge.sql.ts';

/** Budgets of callers that stayed away; a bucket that is empty is as good as none. */
export async function purgeBudgets(ctx: AppContext): Promise<number> {
  return ctx.db.transaction(allTenants, deleteEmptyBudgets);
}
