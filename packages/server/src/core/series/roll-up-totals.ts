import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { rollUpDomainTotals } from '../domains/list.sql.ts';
import { rollUpTransactionTotals } from '../ledger/ledger.sql.ts';

const rowsAtOnce = 20_000;

/** Rolls up the differences that list totals are summed from, so that the sum stays fast. Safe in several processes at once. */
export async function rollUpTotals(ctx: AppContext): Promise<void> {
  await ctx.db.transaction(allTenants, (tx) => rollUpDomainTotals(tx, rowsAtOnce));
  await ctx.db.transaction(allTenants, (tx) => rollUpTransactionTotals(tx, rowsAtOnce));
}
