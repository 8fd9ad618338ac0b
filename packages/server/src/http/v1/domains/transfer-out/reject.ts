import { orderRejection } from '../../../../core/domains/transfer-out/answer.ts';
import { denialReasons, denials } from '../../../../core/policy/denial.ts';
import { oneOf } from '../../../field.ts';
import { changeRoute } from '../change/change-route.ts';
import { orderExample, orderView, showOrder } from '../operation-answer.ts';

const list = denialReasons.map((reason) => `\`${reason}\`: ${denials[reason].sentence}`).join(' ');

export const rejectTransferRoute = changeRoute({
  method: 'POST',
  path: '/transfer/reject',
  summary: 'Reject a transfer to another registrar',
  description:
    'While another registrar requests the domain (`order_status` is `Pending Transfer`): rejects the transfer at the registry, for a reason that the policy allows.',
  fields: {
    reason: oneOf(
      denialReasons,
      `The reason. ${list} The last three are valid only during that lock; see the timeline.`,
    ),
  },
  view: orderView,
  errors: ['invalid_argument'],
  example: {
    first: 'another registrar must have requested the domain',
    input: { reason: 'holder_objects' },
    output: { ...orderExample, transaction_id: null, expiry_date: null },
  },
  show: showOrder,
  order: (ctx, caller, where, input) => orderRejection(ctx, caller, { ...where, reason: input.reason }),
});
