import { z } from 'zod';
import { deleteReseller } from '../../../core/accounts/delete.ts';
import { id } from '../../field.ts';
import { route } from '../../route.ts';

const show = (deleted: { id: string }) => ({ reseller_id: deleted.id, deleted: true as const });

export const deleteResellerRoute = route({
  method: 'DELETE',
  path: '/resellers/{reseller_id}',
  area: 'resellers',
  style: 'contract',
  summary: 'Delete a sub-reseller',
  description:
    'Deletes a direct sub-reseller that has no customers, no sub-resellers and no money. Its keys are revoked.',
  input: z.object({ reseller_id: id('Id of the reseller.') }),
  output: z.object({ reseller_id: z.string(), deleted: z.literal(true) }),
  errors: ['not_found', 'conflict', 'in_use'],
  example: {
    input: { reseller_id: '1001' },
    output: { reseller_id: '1001', deleted: true },
    first: 'it must have no money and no customers',
  },
  render: show,
  answer: async (ctx, caller, input) => show(await deleteReseller(ctx, caller, input.reseller_id)),
});
