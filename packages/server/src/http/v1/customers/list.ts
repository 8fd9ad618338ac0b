import { z } from 'zod';
import { customerStatuses } from '../../../core/customers/customer.ts';
import { searchCustomers } from '../../../core/customers/list.ts';
import { amount, oneOf } from '../../field.ts';
import { listAnswer, pageOf, paging } from '../../page.ts';
import { route } from '../../route.ts';
import { ids, partySearchFields, searchOf } from '../common/search-fields.ts';
import { customerExample, customerView, showCustomer } from './customer-view.ts';

export const listCustomersRoute = route({
  method: 'GET',
  path: '/customers',
  area: 'customers',
  style: 'contract',
  isList: true,
  summary: 'List or search customers',
  description:
    'Customers of the calling reseller in order of creation. `email` must match whole, other text filters match a part. Case does not matter. No match returns an empty list.',
  input: z.object({
    ...paging,
    customer_id: ids('Only these customers.').optional(),
    ...partySearchFields,
    status: oneOf(customerStatuses, 'Only customers in this status.').optional(),
    total_receipts_start: amount('Minimum total receipts.').optional(),
    total_receipts_end: amount('Maximum total receipts.').optional(),
  }),
  output: z.array(customerView),
  errors: [],
  example: { input: { limit: 10, page_no: 1 }, output: [customerExample] },
  async answer(ctx, caller, input) {
    const search = { ...searchOf(input), ids: input.customer_id };
    const { rows, ...listed } = await searchCustomers(ctx, caller, search, pageOf(input));
    return listAnswer(rows.map(showCustomer), listed);
  },
});
