import { z } from 'zod';
import { readReseller } from '../../../core/accounts/read.ts';
import { id } from '../../field.ts';
import { route } from '../../route.ts';
import { resellerExample, resellerView, showReseller } from './reseller-view.ts';

export const readResellerRoute = route({
  method: 'GET',
  path: '/resellers/{reseller_id}',
  area: 'resellers',
  style: 'contract',
  summary: 'Read a reseller',
  description: 'The calling reseller, by its own id, or a direct sub-reseller.',
  input: z.object({ reseller_id: id('Id of the reseller.') }),
  output: resellerView,
  errors: ['not_found'],
  example: { input: { reseller_id: '1000' }, output: resellerExample },
  answer: async (ctx, caller, input) => showReseller(await readReseller(ctx, caller, input.reseller_id)),
});
