import { z } from 'zod';
import { setRegistrantManagement } from '../../../core/accounts/manage-registrants.ts';
import { flag, id } from '../../field.ts';
import { route } from '../../route.ts';
import { resellerExample, resellerView, showReseller } from '../resellers/reseller-view.ts';

export const registrantManagementRoute = route({
  method: 'PUT',
  path: '/operator/resellers/{reseller_id}/holders',
  area: 'account',
  scope: 'full',
  style: 'own',
  summary: 'Say who looks after the holders of a reseller',
  description:
    'With true the reseller asks and tells them itself, and reports what they confirm (PUT .../raa_verification): nothing is mailed to them from here. Names still go on hold where nothing is reported in time.',
  input: z.object({ reseller_id: id('Any reseller.'), looks_after_holders: flag('Whether it does so itself.') }),
  output: resellerView,
  errors: ['operator_only', 'not_found'],
  example: {
    input: { reseller_id: '1000', looks_after_holders: true },
    output: { ...resellerExample, looks_after_holders: true },
  },
  render: showReseller,
  answer: async (ctx, caller, input) =>
    showReseller(await setRegistrantManagement(ctx, caller, input.reseller_id, input.looks_after_holders)),
});
