import { z } from 'zod';
import { readCustomer } from '../../../core/customers/read.ts';
import { id } from '../../field.ts';
import { route } from '../../route.ts';
import { customerExample, customerView, showCustomer } from './customer-view.ts';

export const readCustomerRoute = route({
  method: 'GET',
  path: '/customers/{customer_id}',
  customer: 'read',
  area: 'customers',
  style: 'contract',
  summary: 'Read a customer',
  description: 'One customer of the calling reseller.',
  input: z.object({ customer_id: id('Id of the customer.') }),
  output: customerView,
  errors: ['not_found'],
  example: { input: { customer_id: '2001' }, output: customerExample },
  answer: async (ctx, caller, input) => showCustomer(await readCustomer(ctx, caller, input.customer_id)),
});
