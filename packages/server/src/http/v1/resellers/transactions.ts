import { z } from 'zod';
import { balanceOf } from '../../../core/ledger/balance.ts';
import { listTransactions } from '../../../core/ledger/transactions.ts';
import { flag, id } from '../../field.ts';
import { listAnswer, pageOf } from '../../page.ts';
import { route } from '../../route.ts';
import { filterOf, transactionFilters } from '../billing/transaction-filter.ts';
import { showTransaction, transactionExample, transactionView } from '../billing/transaction-view.ts';

export const resellerTransactionsRoute = route({
  method: 'GET',
  path: '/resellers/{reseller_id}/transactions',
  area: 'billing',
  style: 'contract',
  isList: true,
  summary: 'List transactions of a sub-reseller',
  description: 'Orders, deposits and debit notes of a direct sub-reseller, newest first.',
  input: z.object({
    reseller_id: id('Id of the sub-reseller.'),
    ...transactionFilters,
    only_pending_customer: flag('Only orders in progress.').optional(),
  }),
  output: z.array(transactionView),
  errors: ['not_found'],
  example: { input: { reseller_id: '1001', limit: 10 }, output: [transactionExample] },
  async answer(ctx, caller, input) {
    const { available } = await balanceOf(ctx, caller, input.reseller_id);
    const filter = { ...filterOf(input, available.currency), onlyPending: input.only_pending_customer };
    const { rows, ...listed } = await listTransactions(ctx, caller, input.reseller_id, filter, pageOf(input));
    return listAnswer(rows.map(showTransaction), listed);
  },
});
