import { z } from 'zod';
import { moveStates } from '../../../core/domains/move/move.ts';
import { listMoves } from '../../../core/domains/move/read.ts';
import { oneOf } from '../../field.ts';
import { listAnswer, pageOf, paging } from '../../page.ts';
import { route } from '../../route.ts';
import { moveExample, moveView, showMove } from './move-view.ts';

export const listMovesRoute = route({
  method: 'GET',
  path: '/moves',
  area: 'domains',
  style: 'own',
  isList: true,
  summary: 'List moves between resellers',
  description: 'Domains that were offered to you, and those that you offered, newest first.',
  input: z.object({
    ...paging,
    direction: oneOf(['in', 'out'], 'Only one direction.').optional(),
    state: oneOf(moveStates, 'Only this state.').optional(),
  }),
  output: z.array(moveView),
  errors: ['invalid_argument'],
  example: { input: { direction: 'in', state: 'offered' }, output: [moveExample] },
  async answer(ctx, caller, input) {
    const { rows, total } = await listMoves(ctx, caller, input, pageOf(input));
    return listAnswer(rows.map(showMove), total);
  },
});
