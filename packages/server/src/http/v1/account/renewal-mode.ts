import { z } from 'zod';
import { chooseOwnDefault, readOwnDefault } from '../../../core/domains/renewal/default-mode.ts';
import { type RenewalMode, renewalModes } from '../../../core/domains/renewal/mode.ts';
import { word } from '../../field.ts';
import { type Route, route } from '../../route.ts';

const defaultView = z
  .object({ renewal_mode: z.enum(renewalModes).describe('With what new names begin.') })
  .meta({ id: 'DefaultRenewalMode', description: 'With what renewal mode new names begin.' });
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
    summary: 'Read with what renewal mode new domains begin',
    description: 'manual until the account says otherwise: panels renew by themselves.',
    input: z.object({}),
    errors: [],
    example: { output: { renewal_mode: 'manual' } },
    answer: async (ctx, caller) => show(await readOwnDefault(ctx, caller)),
  }),
  route({
    ...common,
    method: 'PUT',
    summary: 'Choose with what renewal mode new domains begin',
    description:
      'For names that come later, unless their customer has a mode of its own. Present names keep theirs: `PUT /domains/{domain_id}/renewal_mode`.',
    input: z.object({ renewal_mode: word(renewalModes, 'The mode: manual, renew, renew_once or delete.') }),
    errors: ['conflict'],
    example: { input: { renewal_mode: 'renew' }, output: { renewal_mode: 'renew' } },
    render: show,
    answer: async (ctx, caller, input) => show(await chooseOwnDefault(ctx, caller, input.renewal_mode)),
  }),
];
