import { z } from 'zod';
import { chooseOwnDefault, readOwnDefault } from '../../../core/domains/renewal/default-mode.ts';
import { type RenewalMode, renewalModes } from '../../../core/model/domain.ts';
import { oneOf } from '../../field.ts';
import { type Route, route } from '../../route.ts';

const defaultView = z
  .object({ renewal_mode: z.enum(renewalModes).describe('The default of new domains.') })
  .meta({ id: 'DefaultRenewalMode', description: 'The default renewal mode of new domains.' });
const show = (renewal_mode: RenewalMode) => ({ renewal_mode });
const common = {
  path: '/account/renewal_mode',
  area: 'account',
  style: 'own',
  output: defaultView,
} as const;

export const accountRenewalRoutes: readonly Route[] = [
  route({
    ...common,
    method: 'GET',
    summary: 'Read the default renewal mode',
    description:
      'The renewal mode that new domains get. It is manual until you change it, because panels send renewals themselves.',
    input: z.object({}),
    errors: [],
    example: { output: { renewal_mode: 'manual' } },
    answer: async (ctx, caller) => show(await readOwnDefault(ctx, caller)),
  }),
  route({
    ...common,
    method: 'PUT',
    alsoScope: 'domains:write',
    summary: 'Set the default renewal mode',
    description:
      'Applies to domains added later, unless their customer has its own default. Existing domains keep their mode: `PUT /domains/{domain_id}/renewal_mode`.',
    input: z.object({ renewal_mode: oneOf(renewalModes, 'The mode: manual, renew, renew_once or delete.') }),
    errors: ['conflict'],
    example: { input: { renewal_mode: 'renew' }, output: { renewal_mode: 'renew' } },
    render: show,
    answer: async (ctx, caller, input) => show(await chooseOwnDefault(ctx, caller, input.renewal_mode)),
  }),
];
