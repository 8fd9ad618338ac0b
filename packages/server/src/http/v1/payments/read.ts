import { z } from 'zod';
import { readPayment } from '../../../core/payments/confirm.ts';
import { selectExpected } from '../../../core/payments/payment.sql.ts';
import { paymentStates } from '../../../core/payments/payment.ts';
import { id, word } from '../../field.ts';
import { listAnswer, pageOf, pagingAfter } from '../../page.ts';
import { route } from '../../route.ts';
import { payment_id, paymentExample, paymentView, showPayment } from './payment-view.ts';

export const listPaymentsRoute = route({
  method: 'GET',
  path: '/payments',
  area: 'billing',
  style: 'own',
  isList: true,
  summary: 'List payments that are waited for',
  description: 'Those that the account waits for, and those that it announced to its parent, newest first.',
  input: z.object({
    ...pagingAfter('pay'),
    status: word(paymentStates, 'Only those that stand so.').optional(),
    customer_id: id('Only those of this customer.').optional(),
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
  description: 'How it stands, what came for it, and what to tell the payer.',
  input: z.object({ payment_id }),
  output: paymentView,
  errors: ['not_found'],
  example: {
    first: 'a payment must be waited for: `POST /payments`',
    input: { payment_id: paymentExample.payment_id },
    output: paymentExample,
  },
  answer: async (ctx, caller, input) => showPayment(ctx, caller, await readPayment(ctx, caller, input.payment_id)),
});
