import { z } from 'zod';
import { changeCustomer } from '../../../core/customers/change.ts';
import { id } from '../../field.ts';
import { route } from '../../route.ts';
import { partyExample, partyFields, partyOf } from '../common/party-fields.ts';
import { customerExample, customerView, showCustomer } from './customer-view.ts';

export const changeCustomerRoute = route({
  method: 'PUT',
  path: '/customers/{customer_id}',
  sudo: true,
  area: 'customers',
  style: 'contract',
  cost: 10,
  summary: 'Change a customer',
  description:
    'Replaces name, address and telephone numbers. An omitted optional field is emptied. The password does not change. Another email address of a customer with access needs every scope that the access confers, or `full`; the owner of the account is notified.',
  input: z.object({ customer_id: id('Id of the customer.'), ...partyFields }),
  output: customerView,
  errors: ['not_found', 'already_exists'],
  example: { input: { customer_id: '2001', ...partyExample }, output: customerExample },
  render: showCustomer,
  answer: async (ctx, caller, input) =>
    showCustomer(await changeCustomer(ctx, caller, input.customer_id, partyOf(input))),
});
