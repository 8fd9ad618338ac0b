import { z } from 'zod';
import { choices } from '../../../core/model/operation.ts';
import { settleManually } from '../../../core/operations/settle-manually.ts';
import { flag, oneOf, text } from '../../field.ts';
import { route } from '../../route.ts';
import { operation_id } from '../operations/read.ts';
import { anyOperationExample, anyOperationView, showAnyOperation } from './operations.ts';

export const settleOperationRoute = route({
  method: 'POST',
  path: '/operator/operations/{operation_id}/settle',
  sudo: true,
  area: 'account',
  scope: 'full',
  style: 'own',
  settlesMoney: true,
  summary: 'Settle an operation manually',
  description:
    'For an operation that does not finish automatically. `done`: the registry is queried once more and must confirm it; if it refuses to report, your decision counts. `refused`: the registry is queried first, and its answer counts; otherwise money on hold is released and the order is undone. `ask_again`: the registry is queried now. `done` and `refused` return 409 while a command of the operation is under way, and a decision that returns 409 is not kept. Only for the operator; the decision and its reason are written to the audit log.',
  input: z.object({
    operation_id,
    decision: oneOf(choices, 'How it is settled.'),
    reason: text({
      max: 500,
      about: 'The reason, for the audit log.',
      example: 'confirmed by the registry by telephone',
    }),
    dry_run: flag('Dry run: only return what would happen.').optional(),
  }),
  output: z.object({
    dry_run: z.boolean(),
    result: z.string().describe('The action that was or would be taken.'),
    says: z.string().describe('The same as result; its former name.'),
    operation: anyOperationView.describe('The operation as it is now.'),
  }),
  errors: ['invalid_argument', 'operator_only', 'not_found', 'conflict'],
  example: {
    input: {
      operation_id: anyOperationExample.operation_id,
      decision: 'ask_again',
      reason: 'the registry is available again',
    },
    output: {
      dry_run: false,
      result: 'query the registry again now, and settle it by the answer (register example-shop.com, unknown)',
      says: 'query the registry again now, and settle it by the answer (register example-shop.com, unknown)',
      operation: anyOperationExample,
    },
  },
  async answer(ctx, caller, { operation_id: id, decision, reason, dry_run = false }) {
    const { result, operation } = await settleManually(ctx, caller, id, { decision, reason, isDryRun: dry_run });
    return { dry_run, result, says: result, operation: showAnyOperation(operation) };
  },
});
