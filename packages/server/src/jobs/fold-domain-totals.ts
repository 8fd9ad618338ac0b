import { everyTenant } from '@namehold/base';
import { foldDomainTotals } from '../core/domains/list.sql.ts';
import { foldTransactionTotals } from '../core/ledger/ledger.sql.ts';
import type { Job } from './clockwork.ts';

const rowsAtOnce = 20_000;

/** The totals of lists are sums of differences; folded, the sum stays short. Several processes may do it side by side. */
export const foldTotals: Job = {
  name: 'fold-domain-totals',
  everyMs: 60_000,
  async run(house) {
    await house.db.transaction(everyTenant, (tx) => foldDomainTotals(tx, rowsAtOnce));
    await house.db.transaction(everyTenant, (tx) => foldTransactionTotals(tx, rowsAtOnce));
  },
};
