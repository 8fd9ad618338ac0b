import { z } from 'zod';
import { readPayer } from '../../../core/customers/read.ts';
import { id } from '../../field.ts';
import { type Route, route } from '../../route.ts';
import {
  answerStatement,
  answerStatementFile,
  fileCost,
  fileExample,
  paging,
  period,
  statementExample,
  statementView,
} from './statement-view.ts';

const over = { from: '2026-11-01', to: '2026-11-30' };
const about =
  'Opening balance, every line that changed the available balance, and closing balance. Times are whole seconds in UTC. Continue with `after=next_after`. For the balance at one time, send the same `from` and `to`.';
const aboutFile =
  'The whole statement as CSV. The first line is the opening balance, the last line the closing balance.';

interface Of {
  readonly path: string;
  readonly area: 'account' | 'billing';
  readonly whose: string;
  /** Customers can read their own. */
  readonly customer?: 'read';
}

const read = (of: Of) =>
  ({
    method: 'GET',
    ...(of.customer ? { customer: of.customer } : {}),
    area: of.area,
    style: 'own',
    path: `${of.path}/statement`,
    summary: `Read the statement ${of.whose}`,
    description: of.area === 'account' ? about : 'Same format as the statement of the account.',
    output: statementView,
  }) as const;

const file = (of: Of) =>
  ({
    method: 'GET',
    ...(of.customer ? { customer: of.customer } : {}),
    area: of.area,
    style: 'own',
    path: `${of.path}/statement/csv`,
    cost: fileCost,
    summary: `Read the statement ${of.whose} as CSV`,
    description: of.area === 'account' ? aboutFile : 'Same format as the statement of the account.',
    output: z.string(),
    answerType: 'text/csv',
  }) as const;

const own: Of = { path: '/account', area: 'account', whose: 'of the account' };
const ofCustomer: Of = {
  path: '/customers/{customer_id}',
  area: 'billing',
  whose: 'of a customer',
  customer: 'read',
};
const ofChild: Of = { path: '/resellers/{reseller_id}', area: 'billing', whose: 'of a sub-reseller' };
const customer_id = id('Id of the customer.');
const reseller_id = id('Id of the sub-reseller.');

export const statementRoutes: readonly Route[] = [
  route({
    ...read(own),
    input: z.object({ ...period, ...paging }),
    errors: [],
    example: { input: over, output: statementExample },
    answer: (ctx, caller, input) => answerStatement(ctx, caller, {}, input),
  }),
  route({
    ...file(own),
    input: z.object(period),
    errors: [],
    example: { input: over, output: fileExample },
    answer: (ctx, caller, input) => answerStatementFile(ctx, caller, {}, input),
  }),
  route({
    ...read(ofCustomer),
    input: z.object({ customer_id, ...period, ...paging }),
    errors: ['not_found'],
    example: { input: { customer_id: '2001', ...over }, output: { ...statementExample, customer_id: '2001' } },
    answer: async (ctx, caller, input) =>
      answerStatement(ctx, caller, { customer: await readPayer(ctx, caller, input.customer_id) }, input),
  }),
  route({
    ...file(ofCustomer),
    input: z.object({ customer_id, ...period }),
    errors: ['not_found'],
    example: { input: { customer_id: '2001', ...over }, output: fileExample },
    answer: async (ctx, caller, input) =>
      answerStatementFile(ctx, caller, { customer: await readPayer(ctx, caller, input.customer_id) }, input),
  }),
  route({
    ...read(ofChild),
    input: z.object({ reseller_id, ...period, ...paging }),
    errors: ['not_found'],
    example: { input: { reseller_id: '1001', ...over }, output: { ...statementExample, reseller_id: '1001' } },
    answer: (ctx, caller, input) => answerStatement(ctx, caller, { resellerId: input.reseller_id }, input),
  }),
  route({
    ...file(ofChild),
    input: z.object({ reseller_id, ...period }),
    errors: ['not_found'],
    example: { input: { reseller_id: '1001', ...over }, output: fileExample },
    answer: (ctx, caller, input) => answerStatementFile(ctx, caller, { resellerId: input.reseller_id }, input),
  }),
];
