import { z } from 'zod';
import { findTransaction } from '../../../core/ledger/transactions.ts';
import { id } from '../../field.ts';
import { route } from '../../route.ts';
import { showTransaction, transactionExample, transactionView } from '../billing/transaction-view.ts';

export const accountTransactionRoute = route({
  method: 'GET',
  path: '/account/transactions/{transaction_id}',
  area: 'account',
  style: 'contract',
  summary: 'Read a transaction',
  description: 'One order, deposit or debit note of the account.',
  input: z.object({ transaction_id: id('Id of the transaction.') }),
  output: transactionView,
  errors: ['not_found'],
  example: { input: { transaction_id: transactionExample.transaction_id }, output: transactionExample },
  answer: async (ctx, caller, input) =>
    showTransaction(await findTransaction(ctx, caller, caller.resellerId, input.transaction_id)),
});
