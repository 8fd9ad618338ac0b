import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { deleteEmptyBudgets } from './purge.sql.ts';

/** Rate limits of callers without recent requests; an empty bucket is the same as none. */
export async function purgeBudgets(ctx: AppContext): Promise<number> {
  return ctx.db.transaction(allTenants, deleteEmptyBudgets);
}
