import { z } from 'zod';
import { requestVerify, verifyStates } from '../../../core/reconciliation/request-verify.ts';
import { route } from '../../route.ts';

export const verifyRoute = route({
  method: 'POST',
  path: '/operator/verify',
  area: 'account',
  style: 'own',
  summary: 'Start a reconciliation',
  description:
    'Starts `namehold verify` as a background job; `GET /operator/reconciliation` shows the result. Only for the operator.',
  input: z.object({}),
  output: z.object({
    state: z
      .enum(verifyStates)
      .describe('due: starts within seconds; running: already running; recent: ran less than a minute ago.'),
  }),
  errors: ['operator_only'],
  example: { output: { state: 'due' } },
  answer: async (ctx, caller) => ({ state: await requestVerify(ctx, caller) }),
});
