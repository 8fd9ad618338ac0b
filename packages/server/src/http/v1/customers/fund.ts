import { z } from 'zod';
import { readCustomer, readPayer } from '../../../core/customers/read.ts';
import { debitCustomer, fundCustomer } from '../../../core/ledger/fund-customer.ts';
import { id } from '../../field.ts';
import { route } from '../../route.ts';
import { chargeInput, subtractTotalReceipts } from '../billing/charge-input.ts';
import {
  depositExample,
  noteExample,
  showDeposit,
  showTransaction,
  transactionView,
} from '../billing/transaction-view.ts';

const customer_id = id('Id of the customer.');

export const fundCustomerRoute = route({
  method: 'POST',
  path: '/customers/{customer_id}/transactions/fund',
  sudo: true,
  area: 'billing',
  style: 'contract',
  summary: 'Credit a customer',
  description: 'Adds money to the balance of a customer with this account.',
  input: z.object({ customer_id, ...chargeInput }),
  output: transactionView,
  errors: ['not_found'],
  example: {
    input: { customer_id: '2001', amount: '150.00', description: 'bank transfer' },
    output: { ...depositExample, customer_id: '2001', status: 'pending' },
  },
  render: showDeposit,
  async answer(ctx, caller, input) {
    const { id: customerId, currency } = await readCustomer(ctx, caller, input.customer_id);
    return showDeposit(await fundCustomer(ctx, caller, { customerId, currency }, input));
  },
});

export const debitCustomerRoute = route({
  method: 'POST',
  path: '/customers/{customer_id}/transactions/debit_note',
  sudo: true,
  area: 'billing',
  style: 'contract',
  summary: 'Charge a customer by debit note',
  description: 'Takes money from the balance of a customer. A customer has no credit.',
  input: z.object({ customer_id, ...chargeInput, subtract_total_receipts: subtractTotalReceipts }),
  output: transactionView,
  errors: ['not_found', 'insufficient_funds'],
  example: {
    input: { customer_id: '2001', amount: '20.00', description: 'setup fee' },
    output: { ...noteExample, customer_id: '2001' },
  },
  render: showTransaction,
  async answer(ctx, caller, input) {
    const { id: customerId, currency } = await readPayer(ctx, caller, input.customer_id);
    const charge = { ...input, subtractTotalReceipts: input.subtract_total_receipts ?? false };
    return showTransaction(await debitCustomer(ctx, caller, { customerId, currency }, charge));
  },
});
