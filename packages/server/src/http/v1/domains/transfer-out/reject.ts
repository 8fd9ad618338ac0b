import { orderRejection } from '../../../../core/domains/transfer-out/answer.ts';
import { denialReasons, denials } from '../../../../core/policy/denial.ts';
import { word } from '../../../field.ts';
import { changeRoute } from '../change/change-route.ts';
import { orderExample, orderView, showOrder } from '../operation-answer.ts';

const list = denialReasons.map((reason) => `\`${reason}\`: ${denials[reason].sentence}`).join(' ');

export const rejectTransferRoute = changeRoute({
  method: 'POST',
  path: '/transfer/reject',
  summary: 'Keep a domain that another registrar asks for',
  description:
    'While another registrar asks for the name (`order_status` is `Pending Transfer`): says no at the registry, for a reason that policy allows.',
  fields: { reason: word(denialReasons, `Why. ${list} The last three only while that lock holds; see the timeline.`) },
  view: orderView,
  errors: ['invalid_argument'],
  example: {
    first: 'another registrar must have asked for the name',
    input: { reason: 'holder_objects' },
    output: { ...orderExample, transaction_id: null, expiry_date: null },
  },
  show: showOrder,
  order: (ctx, caller, where, input) => orderRejection(ctx, caller, { ...where, reason: input.reason }),
});
