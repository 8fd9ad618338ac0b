import { z } from 'zod';
import { finalStates, openStates } from '../../../core/model/operation.ts';
import { kinds } from '../../../core/model/operation-kinds.ts';
import type { AnyOperation } from '../../../core/operations/list-all.sql.ts';
import { readAllOperations } from '../../../core/operator/overview.ts';
import { id, oneOf } from '../../field.ts';
import { listAnswer, pageOf, pagingAfter } from '../../page.ts';
import { route } from '../../route.ts';
import { withCoreNames } from '../common/field-names.ts';
import { operationExample, operationView, showOperation } from '../operations/operation-view.ts';

export const anyOperationView = z
  .object({
    ...operationView.shape,
    reseller_id: z.string(),
  })
  .meta({ id: 'OperationOfReseller', description: 'An operation of any reseller, for the operator.' });

export const anyOperationExample: z.output<typeof anyOperationView> = {
  ...operationExample,
  reseller_id: '1000',
};

export function showAnyOperation(operation: AnyOperation): z.output<typeof anyOperationView> {
  return { ...showOperation(operation), reseller_id: operation.reseller_id };
}

export const listAllOperationsRoute = route({
  method: 'GET',
  path: '/operator/operations',
  area: 'account',
  style: 'own',
  isList: true,
  summary: 'List the operations of all resellers',
  description: 'Newest first. Only for the operator. `state=open` matches all that are not finished.',
  input: z.object({
    ...pagingAfter('op'),
    state: oneOf(['open', ...openStates, ...finalStates], 'Only this state.').optional(),
    kind: oneOf(kinds, 'Only this kind.').optional(),
    reseller_id: id('Only this reseller.').optional(),
    domain_id: id('Only this domain.').optional(),
  }),
  output: z.array(anyOperationView),
  errors: ['invalid_argument', 'operator_only'],
  example: { input: { limit: 10 }, output: [anyOperationExample] },
  async answer(ctx, caller, input) {
    const { rows, ...listed } = await readAllOperations(ctx, caller, withCoreNames(input), pageOf(input));
    return listAnswer(rows.map(showAnyOperation), listed);
  },
});
