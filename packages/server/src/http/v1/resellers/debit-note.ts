import { z } from 'zod';
import { debitReseller } from '../../../core/ledger/fund.ts';
import { id } from '../../field.ts';
import { route } from '../../route.ts';
import { chargeInput, subtractTotalReceipts } from '../billing/charge-input.ts';
import { noteExample, showTransaction, transactionView } from '../billing/transaction-view.ts';

export const debitResellerRoute = route({
  method: 'POST',
  path: '/resellers/{reseller_id}/transactions/debit_note',
  sudo: true,
  area: 'billing',
  style: 'contract',
  summary: 'Charge a sub-reseller by debit note',
  description: 'Takes money from the account of a direct sub-reseller, within its balance and credit limit.',
  input: z.object({
    reseller_id: id('Id of the sub-reseller.'),
    ...chargeInput,
    subtract_total_receipts: subtractTotalReceipts,
  }),
  output: transactionView,
  errors: ['not_found', 'insufficient_funds'],
  example: { input: { reseller_id: '1001', amount: '20.00', description: 'setup fee' }, output: noteExample },
  render: showTransaction,
  answer: async (ctx, caller, input) => {
    const subtractTotalReceipts = input.subtract_total_receipts ?? false;
    return showTransaction(await debitReseller(ctx, caller, input.reseller_id, { ...input, subtractTotalReceipts }));
  },
});
