import { z } from 'zod';
import { setCustomerReceipts } from '../../../core/customers/total-receipts.ts';
import { amount, id } from '../../field.ts';
import { route } from '../../route.ts';
import { customerExample, customerView, showCustomer } from './customer-view.ts';

export const customerReceiptsRoute = route({
  method: 'PUT',
  path: '/customers/totalreceipts',
  area: 'customers',
  style: 'contract',
  summary: 'Set the total receipts of a customer',
  description: 'Sets the total receipts, in the currency of the reseller. No money is moved.',
  input: z.object({ customer_id: id('Id of the customer.'), totalreceipts: amount('The new total.') }),
  output: customerView,
  errors: [],
  example: { input: { customer_id: '2001', totalreceipts: '80.00' }, output: customerExample },
  render: showCustomer,
  answer: async (ctx, caller, input) =>
    showCustomer(await setCustomerReceipts(ctx, caller, input.customer_id, input.totalreceipts)),
});
