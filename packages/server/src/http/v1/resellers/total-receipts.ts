import { z } from 'zod';
import { setReceipts } from '../../../core/accounts/total-receipts.ts';
import { amount, id } from '../../field.ts';
import { route } from '../../route.ts';
import { resellerExample, resellerView, showReseller } from './reseller-view.ts';

export const resellerReceiptsRoute = route({
  method: 'PUT',
  path: '/resellers/{reseller_id}/totalreceipts',
  area: 'resellers',
  style: 'contract',
  summary: 'Set the total receipts of a sub-reseller',
  description: 'Sets the total receipts of a direct sub-reseller, in its currency. No money is moved.',
  input: z.object({ reseller_id: id('Id of the reseller.'), totalreceipts: amount('The new total.') }),
  output: resellerView,
  errors: ['not_found', 'conflict'],
  example: {
    input: { reseller_id: '1001', totalreceipts: '80.00' },
    output: { ...resellerExample, reseller_id: '1001', parent_reseller_id: '1000', total_receipts: '80.00' },
  },
  render: showReseller,
  answer: async (ctx, caller, input) =>
    showReseller(await setReceipts(ctx, caller, input.reseller_id, input.totalreceipts)),
});
