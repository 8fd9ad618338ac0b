import { z } from 'zod';
import { orderDeletion } from '../../../../core/domains/end/delete.ts';
import type { Operation } from '../../../../core/model/operation.ts';
import { route } from '../../../route.ts';
import { operationErrors } from '../buy/order-errors.ts';
import { customerCheck, domain_id } from '../buy/order-fields.ts';
import { acceptedView, orderExample, orderView, runAndAnswer, showOrder } from '../operation-answer.ts';

const refundView = z.object({ transaction_id: z.string(), amount: z.string(), currency: z.string() });

const deleteView = orderView.extend({
  deleted: z.boolean().optional().describe('Absent while the registry has not answered.'),
  restorable: z.boolean().optional().describe('True while the domain can be restored from redemption.'),
  refunded: z
    .array(refundView)
    .optional()
    .describe('Refunds of your own purchases by this deletion, within the grace periods of the registry.'),
  refunded_before: z
    .array(refundView)
    .optional()
    .describe(
      'Earlier refunds of the same purchases to you, for example by a credit note. They are not repeated. Absent: none.',
    ),
});

export function showDeletion(operation: Operation): z.output<typeof deleteView> {
  const outcome = operation.kind === 'delete' ? operation.outcome : null;
  const refunded = [...(outcome?.refunded ?? [])];
  const before = outcome?.refunded_before;
  return {
    ...showOrder(operation),
    deleted: true,
    restorable: outcome?.restorable ?? false,
    refunded,
    ...(before ? { refunded_before: [...before] } : {}),
  };
}

export const deleteDomain = route({
  method: 'DELETE',
  path: '/domains/{domain_id}',
  sudo: true,
  area: 'domains',
  style: 'contract',
  accepted: acceptedView,
  summary: 'Delete a domain',
  description:
    'Deletes the domain at its registry. Within a grace period, the price of the registration or renewal is refunded. In the add grace period the domain is deleted immediately; later it can be restored for a while. Child nameservers are deleted too.',
  input: z.object({ domain_id, customer_id: customerCheck }),
  output: deleteView,
  errors: [...operationErrors, 'in_use'],
  example: {
    input: { domain_id: '5001' },
    output: {
      ...orderExample,
      transaction_id: null,
      expiry_date: null,
      deleted: true,
      restorable: false,
      refunded: [{ transaction_id: '7001', amount: '11.50', currency: 'USD' }],
    },
  },
  async answer(ctx, caller, input) {
    const order = { domain: input.domain_id, customerId: input.customer_id };
    return runAndAnswer(ctx, caller, await orderDeletion(ctx, caller, order), showDeletion);
  },
});
