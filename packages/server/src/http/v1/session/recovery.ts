import { z } from 'zod';
import { requestRecovery } from '../../../core/users/recovery.ts';
import { text } from '../../field.ts';
import { Answer, route } from '../../route.ts';

const recoveryView = z.object({
  is_mailed: z
    .boolean()
    .describe('False: no mail is sent here; ask an owner of your account, or who runs the service.'),
});

export const recoveryRoute = route({
  area: 'people',
  scope: null,
  style: 'own',
  forUsers: true,
  method: 'POST',
  path: '/recovery',
  isPublic: true,
  summary: 'Ask for another password',
  description:
    'Whoever signs in with this address gets a link by mail, good once for 30 minutes; its code goes to `POST /session/code`. The answer is always the same, whether somebody has the address or not. A second factor stays.',
  input: z.object({ email: text({ max: 254, about: 'E-mail address.', example: 'sari@reseller.example' }) }),
  output: recoveryView,
  accepted: recoveryView,
  errors: [],
  example: {
    input: { email: 'sari@reseller.example' },
    output: { is_mailed: true },
    first: 'ask from a page or a program; the tester sends no cookies',
  },
  answer: async (ctx, caller, input) =>
    new Answer({ is_mailed: await requestRecovery(ctx, caller, input.email) }, { status: 202 }),
});
