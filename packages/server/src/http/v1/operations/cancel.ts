import { z } from 'zod';
import { cancelOperation } from '../../../core/operations/cancel.ts';
import { route } from '../../route.ts';
import { operationExample, operationView, showOperation } from './operation-view.ts';
import { operation_id } from './read.ts';

export const cancelOperationRoute = route({
  method: 'POST',
  path: '/operations/{operation_id}/cancel',
  area: 'domains',
  style: 'own',
  settlesMoney: true,
  summary: 'Cancel an operation',
  description:
    'Possible while nothing was sent to the registry. Money on hold is released. An operation that was already sent cannot be cancelled; its result is determined and settled.',
  input: z.object({ operation_id }),
  output: operationView,
  errors: ['not_found', 'conflict'],
  example: {
    input: { operation_id: operationExample.operation_id },
    output: { ...operationExample, state: 'cancelled', result_code: null, result_text: null, outcome: null, steps: [] },
  },
  render: showOperation,
  answer: async (ctx, caller, input) => showOperation(await cancelOperation(ctx, caller, input.operation_id)),
});
