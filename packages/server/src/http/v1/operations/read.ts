import { z } from 'zod';
import { readOperation } from '../../../core/operations/read.ts';
import { text } from '../../field.ts';
import { route } from '../../route.ts';
import { operationExample, operationView, showOperationTo } from './operation-view.ts';

export const operation_id = text({ max: 60, about: 'Id of the operation.' });

export const readOperationRoute = route({
  method: 'GET',
  path: '/operations/{operation_id}',
  customer: 'read',
  area: 'domains',
  style: 'own',
  summary: 'Read an operation',
  description:
    'The progress of an order: its steps with times, and the result code, reasons and transaction ids of the registry.',
  input: z.object({ operation_id }),
  output: operationView,
  errors: ['not_found'],
  example: { input: { operation_id: operationExample.operation_id }, output: operationExample },
  answer: async (ctx, caller, input) => showOperationTo(caller, await readOperation(ctx, caller, input.operation_id)),
});
