import { z } from 'zod';
import { chooseCustomerDefault, readCustomerDefault } from '../../../core/domains/renewal/default-mode.ts';
import { type RenewalMode, renewalModes } from '../../../core/domains/renewal/mode.ts';
import { id, word } from '../../field.ts';
import { type Route, route } from '../../route.ts';

const modeOrDefault = [...renewalModes, 'default'] as const;
const customerModeView = z
  .object({
    renewal_mode: z.enum(modeOrDefault).describe('With what new names begin; default: as the account has it.'),
  })
  .meta({ id: 'CustomerRenewalMode', description: 'With what renewal mode new names of a customer begin.' });
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
    summary: 'Read with what renewal mode new domains of a customer begin',
    description: 'default: as the account has it. A new name of the customer takes the mode over when it is ordered.',
    input: z.object({ customer_id: id('Id of the customer.') }),
    errors: ['not_found'],
    example: { input: { customer_id: '2001' }, output: { renewal_mode: 'default' } },
    answer: async (ctx, caller, input) => show(await readCustomerDefault(ctx, caller, input.customer_id)),
  }),
  route({
    ...common,
    method: 'PUT',
    summary: 'Choose with what renewal mode new domains of a customer begin',
    description:
      'For names that come later; default: as the account has it. Present names keep theirs: `PUT /domains/{domain_id}/renewal_mode`.',
    input: z.object({
      customer_id: id('Id of the customer.'),
      renewal_mode: word(modeOrDefault, 'The mode: manual, renew, renew_once, delete, or default.'),
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
