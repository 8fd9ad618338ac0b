import { z } from 'zod';
import { declineOperation } from '../../../core/approvals/decline.ts';
import { route } from '../../route.ts';
import { answeringScopes } from './approve.ts';
import { operationExample, operationView, showOperation } from './operation-view.ts';
import { operation_id } from './read.ts';

export const declineOperationRoute = route({
  method: 'POST',
  path: '/operations/{operation_id}/decline',
  area: 'domains',
  scope: answeringScopes,
  style: 'own',
  summary: 'Decline an operation',
  description:
    'For an operation that waits for approval: it is cancelled, and nothing of it was sent. Any key of the account with the scope of the change can decline, including the requesting key.',
  input: z.object({ operation_id }),
  output: operationView,
  errors: ['not_found', 'conflict', 'idempotency_in_flight', 'idempotency_mismatch'],
  example: {
    input: { operation_id: operationExample.operation_id },
    output: { ...operationExample, state: 'cancelled', result_code: null, result_text: null, outcome: null, steps: [] },
  },
  render: showOperation,
  answer: async (ctx, caller, input) => showOperation(await declineOperation(ctx, caller, input.operation_id)),
});
