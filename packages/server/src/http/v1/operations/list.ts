import { z } from 'zod';
import { finalStates, openStates } from '../../../core/model/operation.ts';
import { kinds } from '../../../core/model/operation-kinds.ts';
import { listOperations } from '../../../core/operations/list.ts';
import { id, oneOf } from '../../field.ts';
import { listAnswer, pageOf, pagingAfter } from '../../page.ts';
import { route } from '../../route.ts';
import { withCoreNames } from '../common/field-names.ts';
import { operationExample, operationView, showOperationTo } from './operation-view.ts';

export const listOperationsRoute = route({
  method: 'GET',
  path: '/operations',
  customer: 'read',
  area: 'domains',
  style: 'own',
  isList: true,
  summary: 'List operations',
  description: 'All orders at registries, newest first.',
  input: z.object({
    ...pagingAfter('op'),
    state: oneOf([...openStates, ...finalStates], 'Only this state.').optional(),
    kind: oneOf(kinds, 'Only this kind.').optional(),
    domain_id: id('Only this domain.').optional(),
  }),
  output: z.array(operationView),
  errors: ['invalid_argument'],
  example: { input: { limit: 10 }, output: [operationExample] },
  async answer(ctx, caller, input) {
    const { rows, ...listed } = await listOperations(ctx, caller, withCoreNames(input), pageOf(input));
    return listAnswer(
      rows.map((row) => showOperationTo(caller, row)),
      listed,
    );
  },
});
