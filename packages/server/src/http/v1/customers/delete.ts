import { z } from 'zod';
import { deleteCustomer } from '../../../core/customers/delete.ts';
import { id } from '../../field.ts';
import { route } from '../../route.ts';

const show = (deleted: { id: string }) => ({ customer_id: deleted.id, deleted: true as const });

export const deleteCustomerRoute = route({
  method: 'DELETE',
  path: '/customers/{customer_id}',
  area: 'customers',
  style: 'contract',
  summary: 'Delete a customer',
  description: 'Deletes a customer without active orders, together with its contacts.',
  input: z.object({ customer_id: id('Id of the customer.') }),
  output: z.object({ customer_id: z.string(), deleted: z.literal(true) }),
  errors: ['not_found', 'in_use'],
  example: {
    input: { customer_id: '2001' },
    output: { customer_id: '2001', deleted: true },
    first: 'it must have no domains and no money',
  },
  render: show,
  answer: async (ctx, caller, input) => show(await deleteCustomer(ctx, caller, input.customer_id)),
});
