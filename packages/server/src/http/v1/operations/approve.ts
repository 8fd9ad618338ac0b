import { z } from 'zod';
import { approveOperation } from '../../../core/approvals/approve.ts';
import { readOperation } from '../../../core/operations/read.ts';
import { route } from '../../route.ts';
import { preferences } from '../domains/operation-answer.ts';
import { operationExample, operationView, showOperation } from './operation-view.ts';
import { operation_id } from './read.ts';

/** At the door; which of them it takes is a matter of what waits. */
export const answeringScopes = ['domains:write', 'domains:auth_code'];

export const approveOperationRoute = route({
  method: 'POST',
  path: '/operations/{operation_id}/approve',
  sudo: true,
  area: 'domains',
  scope: answeringScopes,
  style: 'own',
  summary: 'Say the second yes',
  description:
    'For an operation that waits for approval (`approval` says what for). It takes another key of the account with the scope that the change itself needs: one that was there before it was asked for, and was neither made nor rotated by the key that asked. It is carried out at once. Where another operation is open on the name, or the name may not be changed just now, the answer is 409 and it goes on waiting.',
  input: z.object({ operation_id }),
  output: operationView,
  errors: [
    'not_found',
    'conflict',
    'domain_blocked',
    'operation_in_progress',
    'idempotency_in_flight',
    'idempotency_mismatch',
  ],
  example: { input: { operation_id: operationExample.operation_id }, output: operationExample },
  again: async (ctx, caller, id) => showOperation(await readOperation(ctx, caller, id)),
  async answer(ctx, caller, input) {
    const { id } = await approveOperation(ctx, caller, input.operation_id);
    return showOperation(await ctx.engine.startAndWait(caller.resellerId, id, preferences(caller, ctx).waitMs));
  },
});
