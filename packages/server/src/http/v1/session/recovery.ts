import { z } from 'zod';
import { wishRecovery } from '../../../core/people/recovery.ts';
import { text } from '../../field.ts';
import { Answer, route } from '../../route.ts';

const wishView = z.object({
  is_mailed: z
    .boolean()
    .describe('False: no mail is sent here; ask an owner of your account, or who runs the service.'),
});

export const recoveryRoute = route({
  area: 'people',
  scope: null,
  style: 'own',
  forPeople: true,
  method: 'POST',
  path: '/recovery',
  isPublic: true,
  summary: 'Ask for another password',
  description:
    'Whoever signs in with this address gets a link by mail, good once for 30 minutes; its code goes to `POST /session/code`. The answer is always the same, whether somebody has the address or not. A second factor stays.',
  input: z.object({ email: text({ max: 254, about: 'E-mail address.', example: 'sari@reseller.example' }) }),
  output: wishView,
  accepted: wishView,
  errors: [],
  example: {
    input: { email: 'sari@reseller.example' },
    output: { is_mailed: true },
    first: 'ask from a page or a program; the tester sends no cookies',
  },
  answer: async (house, caller, input) =>
    new Answer({ is_mailed: await wishRecovery(house, caller, input.email) }, { status: 202 }),
});
