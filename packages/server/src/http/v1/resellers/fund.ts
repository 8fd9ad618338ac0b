import { z } from 'zod';
import { fundReseller } from '../../../core/ledger/fund.ts';
import { id } from '../../field.ts';
import { route } from '../../route.ts';
import { chargeInput } from '../billing/charge-input.ts';
import { depositExample, showDeposit, transactionView } from '../billing/transaction-view.ts';

export const fundResellerRoute = route({
  method: 'POST',
  path: '/resellers/{reseller_id}/transactions/fund',
  sudo: true,
  area: 'billing',
  style: 'contract',
  summary: 'Credit a sub-reseller',
  description: 'Adds money to the account of a direct sub-reseller, in its selling currency.',
  input: z.object({ reseller_id: id('Id of the sub-reseller.'), ...chargeInput }),
  output: transactionView,
  errors: ['not_found'],
  example: {
    input: { reseller_id: '1001', amount: '150.00', description: 'bank transfer' },
    output: { ...depositExample, status: 'pending' },
  },
  render: showDeposit,
  answer: async (ctx, caller, input) => showDeposit(await fundReseller(ctx, caller, input.reseller_id, input)),
});
