import { allTenants } from '@namehold/base';
import { foldDomainTotals } from '../core/domains/list.sql.ts';
import { foldTransactionTotals } from '../core/ledger/ledger.sql.ts';
import type { Job } from './scheduler.ts';

const rowsAtOnce = 20_000;

/** Rolls up the differences that list totals are summed from, so that the sum stays fast. Safe in several processes at once. */
export const foldTotals: Job = {
  name: 'fold-domain-totals',
  everyMs: 60_000,
  async run(ctx) {
    await ctx.db.transaction(allTenants, (tx) => foldDomainTotals(tx, rowsAtOnce));
    await ctx.db.transaction(allTenants, (tx) => foldTransactionTotals(tx, rowsAtOnce));
  },
};
