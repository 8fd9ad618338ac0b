import { z } from 'zod';
import { requestVerify, verifyStates } from '../../../core/reconciliation/request-verify.ts';
import { route } from '../../route.ts';

export const verifyRoute = route({
  method: 'POST',
  path: '/operator/verify',
  area: 'account',
  style: 'own',
  summary: 'Compare the books now',
  description:
    'What `namehold verify` does, by the next job and not by this call; `GET /operator/books` shows what it found. Only for the operator.',
  input: z.object({}),
  output: z.object({
    state: z.enum(verifyStates).describe('due: within seconds; running: already; recent: less than a minute ago.'),
  }),
  errors: ['operator_only'],
  example: { output: { state: 'due' } },
  answer: async (ctx, caller) => ({ state: await requestVerify(ctx, caller) }),
});
