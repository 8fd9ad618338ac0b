import { z } from 'zod';
import { createCustomer } from '../../../core/customers/create.ts';
import { route } from '../../route.ts';
import { partyExample, partyFields, partyOf } from '../common/party-fields.ts';
import { password } from '../common/password-field.ts';
import { customerExample, customerView, showCustomer } from './customer-view.ts';

export const createCustomerRoute = route({
  method: 'POST',
  path: '/customers',
  area: 'customers',
  style: 'contract',
  cost: 10,
  summary: 'Create a customer',
  description:
    'Makes a customer account of the calling reseller. The e-mail address is what customers are looked up by: each has its own. Of a person who is signed in no `password` is taken that is the address or one that is tried first everywhere (`too_easy`); those that programs send are taken as they are.',
  input: z.object({ ...partyFields, password }),
  output: customerView,
  errors: ['already_exists'],
  example: {
    input: { ...partyExample, email: 'sari@customer.example', password: 'correct horse battery' },
    output: { ...customerExample, customer_id: '2002', email: 'sari@customer.example', total_receipts: '0.00' },
  },
  render: showCustomer,
  answer: async (ctx, caller, input) =>
    showCustomer(await createCustomer(ctx, caller, { ...partyOf(input), password: input.password })),
});
