import { orderApproval } from '../../../../core/domains/transfer-out/answer.ts';
import { changeRoute } from '../change/change-route.ts';
import { orderExample, orderView, showOrder } from '../operation-answer.ts';

export const approveTransferRoute = changeRoute({
  method: 'POST',
  path: '/transfer/approve',
  sudo: true,
  summary: 'Let a domain go to another registrar',
  description:
    'While another registrar asks for the name (`order_status` is `Pending Transfer`): says yes at the registry at once, instead of waiting until the registry does so by itself. The name stays here as a tombstone with the registrar that has it. Where a transfer code needs a second yes, so does this.',
  fields: {},
  view: orderView,
  example: {
    first: 'another registrar must have asked for the name',
    input: {},
    output: { ...orderExample, transaction_id: null, expiry_date: null },
  },
  show: showOrder,
  order: (ctx, caller, where) => orderApproval(ctx, caller, where),
});
