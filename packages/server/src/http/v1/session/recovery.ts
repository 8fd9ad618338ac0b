import { z } from 'zod';
import { requestRecovery } from '../../../core/users/recovery.ts';
import { text } from '../../field.ts';
import { Answer, route } from '../../route.ts';

const recoveryView = z.object({
  is_mailed: z.boolean().describe('False: no mail is sent. Contact an owner of your account or the operator.'),
});

export const recoveryRoute = route({
  area: 'users',
  scope: null,
  style: 'own',
  forUsers: true,
  method: 'POST',
  path: '/recovery',
  isPublic: true,
  summary: 'Request a new password',
  description:
    'A user with this address gets a link by mail that can be used once, within 30 minutes. Its code is for `POST /session/code`. The response is the same for unknown addresses. A second factor stays.',
  input: z.object({ email: text({ max: 254, about: 'Email address.', example: 'sari@reseller.example' }) }),
  output: recoveryView,
  accepted: recoveryView,
  errors: [],
  example: {
    input: { email: 'sari@reseller.example' },
    output: { is_mailed: true },
    first: 'call it from a page or a program; the tester sends no cookies',
  },
  answer: async (ctx, caller, input) =>
    new Answer({ is_mailed: await requestRecovery(ctx, caller, input.email) }, { status: 202 }),
});
