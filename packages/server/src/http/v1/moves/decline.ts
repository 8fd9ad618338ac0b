import { z } from 'zod';
import { declineMove } from '../../../core/domains/move/decline.ts';
import { readMove } from '../../../core/domains/move/read.ts';
import { route } from '../../route.ts';
import { move_id, moveExample, moveView, showMove } from './move-view.ts';

export const declineMoveRoute = route({
  method: 'POST',
  path: '/moves/{move_id}/decline',
  area: 'domains',
  style: 'own',
  summary: 'Decline or withdraw an offered domain',
  description: 'By either party while the offer is open. The domain does not move, and both parties are notified.',
  input: z.object({ move_id }),
  output: moveView,
  errors: ['not_found', 'conflict', 'idempotency_in_flight', 'idempotency_mismatch'],
  example: {
    input: { move_id: moveExample.move_id },
    output: { ...moveExample, state: 'declined', finished_at: '2026-11-15T10:00:00Z' },
  },
  again: async (ctx, caller, id) => showMove(await readMove(ctx, caller, id)),
  answer: async (ctx, caller, input) => showMove(await declineMove(ctx, caller, input.move_id)),
});
