import { z } from 'zod';
import { chooseCustomerDefault, readCustomerDefault } from '../../../core/domains/renewal/default-mode.ts';
import { type RenewalMode, renewalModes } from '../../../core/model/domain.ts';
import { id, oneOf } from '../../field.ts';
import { type Route, route } from '../../route.ts';

const modeOrDefault = [...renewalModes, 'default'] as const;
const customerModeView = z
  .object({
    renewal_mode: z
      .enum(modeOrDefault)
      .describe('The renewal mode that new domains get. default: as set for the account.'),
  })
  .meta({ id: 'CustomerRenewalMode', description: 'The default renewal mode of new domains of a customer.' });
const show = (mode: RenewalMode | null) => ({ renewal_mode: mode ?? ('default' as const) });
const common = {
  path: '/customers/{customer_id}/renewal_mode',
  area: 'customers',
  style: 'own',
  output: customerModeView,
} as const;

export const customerRenewalRoutes: readonly Route[] = [
  route({
    ...common,
    method: 'GET',
    summary: 'Read the default renewal mode of a customer',
    description: 'default: as set for the account. A new domain gets the mode at the time of its order.',
    input: z.object({ customer_id: id('Id of the customer.') }),
    errors: ['not_found'],
    example: { input: { customer_id: '2001' }, output: { renewal_mode: 'default' } },
    answer: async (ctx, caller, input) => show(await readCustomerDefault(ctx, caller, input.customer_id)),
  }),
  route({
    ...common,
    method: 'PUT',
    alsoScope: 'domains:write',
    summary: 'Set the default renewal mode of a customer',
    description:
      'Applies to domains ordered later. default: as set for the account. Existing domains keep their mode: `PUT /domains/{domain_id}/renewal_mode`.',
    input: z.object({
      customer_id: id('Id of the customer.'),
      renewal_mode: oneOf(modeOrDefault, 'The mode: manual, renew, renew_once, delete, or default.'),
    }),
    errors: ['not_found', 'conflict'],
    example: { input: { customer_id: '2001', renewal_mode: 'renew' }, output: { renewal_mode: 'renew' } },
    render: show,
    answer: async (ctx, caller, input) => {
      const mode = input.renewal_mode === 'default' ? null : input.renewal_mode;
      return show(await chooseCustomerDefault(ctx, caller, input.customer_id, mode));
    },
  }),
];
