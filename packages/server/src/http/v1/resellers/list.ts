import { z } from 'zod';
import { resellerStatuses } from '../../../core/accounts/account.ts';
import { searchResellers } from '../../../core/accounts/list.ts';
import { amount, oneOf } from '../../field.ts';
import { listAnswer, pageOf, paging } from '../../page.ts';
import { route } from '../../route.ts';
import { ids, partySearchFields, searchOf } from '../common/search-fields.ts';
import { resellerExample, resellerView, showReseller } from './reseller-view.ts';

export const listResellersRoute = route({
  method: 'GET',
  path: '/resellers',
  area: 'resellers',
  style: 'contract',
  isList: true,
  summary: 'List or search sub-resellers',
  description:
    'The direct sub-resellers, oldest first. `email` must match whole, other text filters match a part. Case does not matter.',
  input: z.object({
    ...paging,
    reseller_id: ids('Only these resellers.').optional(),
    ...partySearchFields,
    status: oneOf(resellerStatuses, 'Only resellers in this status.').optional(),
    total_receipts_start: amount('Minimum total receipts, in the currency of each.').optional(),
    total_receipts_end: amount('Maximum total receipts, in the currency of each.').optional(),
  }),
  output: z.array(resellerView),
  errors: [],
  example: {
    input: { limit: 10, page_no: 1 },
    output: [{ ...resellerExample, reseller_id: '1001', parent_reseller_id: '1000', email: 'sub@reseller.example' }],
  },
  async answer(ctx, caller, input) {
    const filter = { ...searchOf(input), ids: input.reseller_id };
    const { rows, total } = await searchResellers(ctx, caller, filter, pageOf(input));
    return listAnswer(rows.map(showReseller), total);
  },
});
