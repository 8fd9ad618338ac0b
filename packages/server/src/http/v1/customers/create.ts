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
    'Creates a customer account of the calling reseller. Each customer has a unique email address. In a session, `password` must not be the address or a very common password (`too_easy`). Passwords that programs set are accepted unchecked.',
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
