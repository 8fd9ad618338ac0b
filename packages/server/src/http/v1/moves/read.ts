import { z } from 'zod';
import { readMove } from '../../../core/domains/move/read.ts';
import { route } from '../../route.ts';
import { move_id, moveExample, moveView, showMove } from './move-view.ts';

export const readMoveRoute = route({
  method: 'GET',
  path: '/moves/{move_id}',
  area: 'domains',
  style: 'own',
  summary: 'Read a move',
  description: 'The state of a move between two resellers, for either of them.',
  input: z.object({ move_id }),
  output: moveView,
  errors: ['not_found'],
  example: { input: { move_id: moveExample.move_id }, output: moveExample },
  answer: async (ctx, caller, input) => showMove(await readMove(ctx, caller, input.move_id)),
});
