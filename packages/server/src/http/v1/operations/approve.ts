import { z } from 'zod';
import { approveOperation } from '../../../core/approvals/approve.ts';
import { readOperation } from '../../../core/operations/read.ts';
import { route } from '../../route.ts';
import { preferences } from '../domains/operation-answer.ts';
import { operationExample, operationView, showOperation } from './operation-view.ts';
import { operation_id } from './read.ts';

/** The route accepts either scope; the operation decides which one it requires. */
export const answeringScopes = ['domains:write', 'domains:auth_code'];

export const approveOperationRoute = route({
  method: 'POST',
  path: '/operations/{operation_id}/approve',
  sudo: true,
  area: 'domains',
  scope: answeringScopes,
  style: 'own',
  summary: 'Approve an operation',
  description:
    'For an operation that waits for approval; its `approval` has the details. The approval must come from another key of the account with the scope of the change. The key must have existed before the request, and the requesting key must not have created or rotated it. If the requesting key was revoked, or the requesting user removed, the answer is 409. The change is made at once. If another operation is open on the domain, or the domain cannot be changed now, the answer is 409 and the operation keeps waiting.',
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
