import { z } from 'zod';
import { suspendReseller } from '../../../core/accounts/suspend.ts';
import { id, text } from '../../field.ts';
import { route } from '../../route.ts';
import { resellerExample, resellerView, showReseller } from './reseller-view.ts';

export const suspendResellerRoute = route({
  method: 'POST',
  path: '/resellers/{reseller_id}/suspend',
  sudo: true,
  area: 'resellers',
  style: 'own',
  summary: 'Suspend a sub-reseller',
  description:
    'Every key and session of the direct sub-reseller, and of all accounts below it, gets 403 within five seconds. Their domains and zones keep working.',
  input: z.object({
    reseller_id: id('Id of the reseller.'),
    reason: text({ max: 500, about: 'The reason, for the audit logs of both accounts.', example: 'unpaid' }).optional(),
  }),
  output: resellerView,
  errors: ['not_found', 'conflict'],
  example: {
    input: { reseller_id: '1001', reason: 'unpaid' },
    output: { ...resellerExample, reseller_id: '1001', parent_reseller_id: '1000', status: 'Suspended' },
  },
  render: showReseller,
  answer: async (ctx, caller, input) =>
    showReseller(await suspendReseller(ctx, caller, input.reseller_id, input.reason)),
});
