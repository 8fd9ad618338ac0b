import { z } from 'zod';
import { setRegistrantManagement } from '../../../core/accounts/manage-registrants.ts';
import { flag, id } from '../../field.ts';
import { route } from '../../route.ts';
import { resellerExample, resellerView, showReseller } from '../resellers/reseller-view.ts';

export const registrantManagementRoute = route({
  method: 'PUT',
  path: '/operator/resellers/{reseller_id}/registrants',
  former: {
    path: '/operator/resellers/{reseller_id}/holders',
    since: '2026-11-18',
    names: { manages_registrants: 'looks_after_holders' },
  },
  area: 'account',
  scope: 'full',
  style: 'own',
  summary: 'Choose who verifies the registrants of a reseller',
  description:
    'With true, the reseller sends requests and notices to its registrants itself, and reports their confirmations (PUT .../raa_verification). This service then sends them no mail. Domains are still suspended if no confirmation is reported in time.',
  input: z.object({
    reseller_id: id('Any reseller.'),
    manages_registrants: flag('Whether the reseller does it itself.'),
  }),
  output: resellerView,
  errors: ['operator_only', 'not_found'],
  example: {
    input: { reseller_id: '1000', manages_registrants: true },
    output: { ...resellerExample, manages_registrants: true, looks_after_holders: true },
  },
  render: showReseller,
  answer: async (ctx, caller, input) =>
    showReseller(await setRegistrantManagement(ctx, caller, input.reseller_id, input.manages_registrants)),
});
