import { z } from 'zod';
import { readPayment } from '../../../core/payments/confirm.ts';
import { selectExpected } from '../../../core/payments/payment.sql.ts';
import { paymentStates } from '../../../core/payments/payment.ts';
import { id, oneOf } from '../../field.ts';
import { listAnswer, pageOf, pagingAfter } from '../../page.ts';
import { route } from '../../route.ts';
import { payment_id, paymentExample, paymentView, showPayment } from './payment-view.ts';

export const listPaymentsRoute = route({
  method: 'GET',
  path: '/payments',
  area: 'billing',
  style: 'own',
  isList: true,
  summary: 'List expected payments',
  description: 'Payments that the account expects, and those that it announced to its parent account, newest first.',
  input: z.object({
    ...pagingAfter('pay'),
    status: oneOf(paymentStates, 'Only this status.').optional(),
    customer_id: id('Only this customer.').optional(),
  }),
  output: z.array(paymentView),
  errors: [],
  example: { input: { status: 'open' }, output: [paymentExample] },
  async answer(ctx, caller, input) {
    const filter = { viewerId: caller.resellerId, state: input.status, customerId: input.customer_id };
    const { rows, ...listed } = await selectExpected(ctx.db.as(caller.resellerId), filter, pageOf(input));
    return listAnswer(await Promise.all(rows.map((row) => showPayment(ctx, caller, row))), listed);
  },
});

export const readPaymentRoute = route({
  method: 'GET',
  path: '/payments/{payment_id}',
  area: 'billing',
  style: 'own',
  summary: 'Read a payment',
  description: 'Its state, its receipts, and the instructions for the payer.',
  input: z.object({ payment_id }),
  output: paymentView,
  errors: ['not_found'],
  example: {
    first: 'requires an expected payment: `POST /payments`',
    input: { payment_id: paymentExample.payment_id },
    output: paymentExample,
  },
  answer: async (ctx, caller, input) => showPayment(ctx, caller, await readPayment(ctx, caller, input.payment_id)),
});
