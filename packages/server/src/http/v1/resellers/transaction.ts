import { z } from 'zod';
import { findTransaction } from '../../../core/ledger/transactions.ts';
import { id } from '../../field.ts';
import { route } from '../../route.ts';
import { showTransaction, transactionExample, transactionView } from '../billing/transaction-view.ts';

export const resellerTransactionRoute = route({
  method: 'GET',
  path: '/resellers/{reseller_id}/transactions/{transaction_id}',
  area: 'billing',
  style: 'contract',
  summary: 'Read a transaction of a sub-reseller',
  description: 'One order, deposit or debit note of a direct sub-reseller.',
  input: z.object({ reseller_id: id('Id of the sub-reseller.'), transaction_id: id('Id of the transaction.') }),
  output: transactionView,
  errors: ['not_found'],
  example: { input: { reseller_id: '1001', transaction_id: '1003' }, output: transactionExample },
  answer: async (ctx, caller, input) =>
    showTransaction(await findTransaction(ctx, caller, input.reseller_id, input.transaction_id)),
});
