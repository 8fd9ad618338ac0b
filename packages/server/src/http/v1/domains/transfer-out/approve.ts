import { orderApproval } from '../../../../core/domains/transfer-out/answer.ts';
import { changeRoute } from '../change/change-route.ts';
import { orderExample, orderView, showOrder } from '../operation-answer.ts';

export const approveTransferRoute = changeRoute({
  method: 'POST',
  path: '/transfer/approve',
  sudo: true,
  summary: 'Approve a transfer to another registrar',
  description:
    'While another registrar requests the domain (`order_status` is `Pending Transfer`): approves the transfer at the registry at once. Without it, the registry approves automatically later. The domain stays readable as a tombstone with the gaining registrar. If auth codes need approval in the account, this call does too.',
  fields: {},
  view: orderView,
  example: {
    first: 'another registrar must have requested the domain',
    input: {},
    output: { ...orderExample, transaction_id: null, expiry_date: null },
  },
  show: showOrder,
  order: (ctx, caller, where) => orderApproval(ctx, caller, where),
});
