import { z } from 'zod';
import { activateReseller } from '../../../core/accounts/activate.ts';
import { id } from '../../field.ts';
import { route } from '../../route.ts';
import { resellerExample, resellerView, showReseller } from './reseller-view.ts';

export const activateResellerRoute = route({
  method: 'POST',
  path: '/resellers/{reseller_id}/activate',
  area: 'resellers',
  style: 'own',
  summary: 'Activate a sub-reseller',
  description:
    'Ends the suspension of a direct sub-reseller, or activates a pending one. An account below it that is itself suspended stays so.',
  input: z.object({ reseller_id: id('Id of the reseller.') }),
  output: resellerView,
  errors: ['not_found', 'conflict'],
  example: {
    input: { reseller_id: '1001' },
    output: { ...resellerExample, reseller_id: '1001', parent_reseller_id: '1000' },
  },
  render: showReseller,
  answer: async (ctx, caller, input) => showReseller(await activateReseller(ctx, caller, input.reseller_id)),
});
