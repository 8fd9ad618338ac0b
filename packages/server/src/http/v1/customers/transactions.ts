import { z } from 'zod';
import { readPayer } from '../../../core/customers/read.ts';
import { findTransaction, listTransactions } from '../../../core/ledger/transactions.ts';
import { flag, id } from '../../field.ts';
import { listAnswer, pageOf } from '../../page.ts';
import { route } from '../../route.ts';
import { filterOf, transactionFilters } from '../billing/transaction-filter.ts';
import { depositExample, showTransaction, transactionView } from '../billing/transaction-view.ts';

const customer_id = id('Id of the customer.');
const example = { ...depositExample, customer_id: '2001' };

export const customerTransactionsRoute = route({
  method: 'GET',
  path: '/customers/{customer_id}/transactions',
  customer: 'read',
  area: 'billing',
  style: 'contract',
  isList: true,
  summary: 'List transactions of a customer',
  description: 'Deposits, debit notes and bills of a customer, newest first.',
  input: z.object({ customer_id, ...transactionFilters, only_pending: flag('Only unpaid ones.').optional() }),
  output: z.array(transactionView),
  errors: ['not_found'],
  example: { input: { customer_id: '2001', limit: 10 }, output: [example] },
  async answer(ctx, caller, input) {
    const { id: customerId, currency } = await readPayer(ctx, caller, input.customer_id);
    const filter = { ...filterOf(input, currency), customerId, onlyPending: input.only_pending };
    const { rows, ...listed } = await listTransactions(ctx, caller, caller.resellerId, filter, pageOf(input));
    return listAnswer(rows.map(showTransaction), listed);
  },
});

export const customerTransactionRoute = route({
  method: 'GET',
  path: '/customers/{customer_id}/transactions/{transaction_id}',
  customer: 'read',
  area: 'billing',
  style: 'contract',
  summary: 'Read a transaction of a customer',
  description: 'One deposit, debit note or bill of a customer.',
  input: z.object({ customer_id, transaction_id: id('Id of the transaction.') }),
  output: transactionView,
  errors: ['not_found'],
  example: { input: { customer_id: '2001', transaction_id: '1001' }, output: example },
  answer: async (ctx, caller, input) =>
    showTransaction(await findTransaction(ctx, caller, caller.resellerId, input.transaction_id, input.customer_id)),
});
