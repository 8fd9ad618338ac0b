import { z } from 'zod';
import { cancelTransfer } from '../../../../core/domains/transfer-in/cancel.ts';
import { Refusal } from '../../../../core/errors.ts';
import type { Operation } from '../../../../core/model/operation.ts';
import { readOperation } from '../../../../core/operations/read.ts';
import { Answer, route } from '../../../route.ts';
import { operationErrors } from '../buy/order-errors.ts';
import { customerCheck, domain_id, ownerCheckName } from '../buy/order-fields.ts';
import { acceptedView, answerOf, preferences } from '../operation-answer.ts';

export const cancelTransferRoute = route({
  method: 'POST',
  path: '/domains/{domain_id}/transfer/cancel',
  area: 'domains',
  style: 'contract',
  accepted: acceptedView,
  summary: 'Cancel a transfer in',
  description:
    'Cancels a transfer in that is in progress: the request is withdrawn at the registry, and the money on hold is released. If the transfer was completed in the meantime, the answer is 409 and the domain stays.',
  input: z.object({ domain_id, customer_id: customerCheck }),
  bodyName: ownerCheckName,
  output: z.object({ domain_id: z.string(), cancelled: z.literal(true).describe('The transfer is cancelled.') }),
  errors: operationErrors,
  example: {
    first: 'a transfer in must be in progress: POST /domains/transfer',
    input: { domain_id: '5001' },
    output: { domain_id: '5001', cancelled: true },
  },
  async answer(ctx, caller, input) {
    const { domainId, operationId } = await cancelTransfer(ctx, caller, input.domain_id, input.customer_id);
    if (operationId === null) return givenUp(domainId);
    const { waitMs } = preferences(caller, ctx);
    return answerCancelled(await ctx.engine.startAndWait(caller.resellerId, operationId, waitMs));
  },
  again: async (ctx, caller, id) => answerCancelled(await readOperation(ctx, caller, id)),
});

const givenUp = (domainId: string | null) => new Answer({ domain_id: domainId, cancelled: true });

function answerCancelled(operation: Operation): Answer {
  if (operation.state === 'cancelled') return givenUp(operation.domain_id);
  if (operation.state === 'done')
    throw new Refusal('conflict', 'The transfer was completed before it could be cancelled. The domain is now here.');
  return answerOf(operation);
}
