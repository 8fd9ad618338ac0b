import { z } from 'zod';
import { acceptMove } from '../../../core/domains/move/accept.ts';
import { readMove } from '../../../core/domains/move/read.ts';
import { route } from '../../route.ts';
import { preferences } from '../domains/operation-answer.ts';
import { move_id, moveExample, moveView, showMove } from './move-view.ts';

export const acceptMoveRoute = route({
  method: 'POST',
  path: '/moves/{move_id}/accept',
  area: 'domains',
  style: 'own',
  summary: 'Take a name that was offered',
  description:
    'For who was offered the name. It is carried out at once, and the answer tells how it stands: `done` comes with the new `domain_id`. Where a lock or another operation of the giver is in the way, the answer is 409 and the offer goes on waiting.',
  input: z.object({ move_id }),
  output: moveView,
  errors: ['not_found', 'conflict', 'operation_in_progress', 'idempotency_in_flight', 'idempotency_mismatch'],
  example: {
    input: { move_id: moveExample.move_id },
    output: { ...moveExample, state: 'done', domain_id: '5002', finished_at: '2026-11-15T10:00:00Z' },
  },
  again: async (ctx, caller, id) => showMove(await readMove(ctx, caller, id)),
  answer: async (ctx, caller, input) =>
    showMove(await acceptMove(ctx, caller, input.move_id, preferences(caller, ctx).waitMs)),
});
