import { z } from 'zod';
import { balanceOf } from '../../../core/ledger/balance.ts';
import { listTransactions } from '../../../core/ledger/transactions.ts';
import { listAnswer, pageOf } from '../../page.ts';
import { route } from '../../route.ts';
import { filterOf, transactionFilters } from '../billing/transaction-filter.ts';
import { showTransaction, transactionExample, transactionView } from '../billing/transaction-view.ts';

export const accountTransactionsRoute = route({
  method: 'GET',
  path: '/account/transactions',
  area: 'account',
  style: 'contract',
  isList: true,
  summary: 'List transactions',
  description: 'Orders, deposits and debit notes of the account, newest first.',
  input: z.object(transactionFilters),
  output: z.array(transactionView),
  errors: [],
  example: { input: { limit: 10, transaction_type: 'domain' }, output: [transactionExample] },
  async answer(ctx, caller, input) {
    const { available } = await balanceOf(ctx, caller, caller.resellerId);
    const filter = filterOf(input, available.currency);
    const { rows, ...listed } = await listTransactions(ctx, caller, caller.resellerId, filter, pageOf(input));
    return listAnswer(rows.map(showTransaction), listed);
  },
});
