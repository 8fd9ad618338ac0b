import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { asTrouble, type Trouble } from '../api/trouble.ts';
import type { Line, Order } from './wanted.ts';

/** What came of sending an order: it is there, it was refused, or nobody knows. */
type Outcome =
  | { readonly kind: 'ordered'; readonly line: Line }
  | { readonly kind: 'refused'; readonly trouble: Trouble }
  | { readonly kind: 'unknown'; readonly trouble: Trouble };

type Answer = Shape<'Order'> | Shape<'WaitingOrder'> | Shape<'AcceptedOrder'>;

/** Sends an order, or asks what became of it: both are the same words under the same key. */
export async function place({ name, key }: Line, order: Order): Promise<Outcome> {
  try {
    const { body } = await call('post', '/domains/transfer', { body: order }, { idempotencyKey: key });
    const { operation_id, domain_id } = body as Answer;
    const known = { name, key, ...(domain_id ? { domainId: domain_id } : {}) };
    return {
      kind: 'ordered',
      line: operation_id ? { ...known, operationId: operation_id } : { ...known, isWaiting: true },
    };
  } catch (error) {
    const trouble = asTrouble(error);
    return { kind: trouble.isRefusal ? 'refused' : 'unknown', trouble };
  }
}
