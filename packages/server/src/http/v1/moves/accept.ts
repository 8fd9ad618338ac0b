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
  summary: 'Accept an offered domain',
  description:
    'For the reseller to which the domain is offered. The move is made at once, and the response has its state: `done` comes with the new `domain_id`. If a lock or another operation of the giving reseller prevents it, the answer is 409 and the offer stays open.',
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
