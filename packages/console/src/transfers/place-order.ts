import { call } from '../api/call.ts';
import { type ApiError, asApiError } from '../api/error.ts';
import type { Schema } from '../api/shapes.ts';
import type { Line, Order } from './draft.ts';

/** The result of sending an order. `unknown`: no response arrived. */
type Outcome =
  | { readonly kind: 'ordered'; readonly line: Line }
  | { readonly kind: 'refused'; readonly error: ApiError }
  | { readonly kind: 'unknown'; readonly error: ApiError };

type OrderResponse = Schema<'Order'> | Schema<'WaitingOrder'> | Schema<'AcceptedOrder'>;

/** Places an order, or repeats it with the same key to check its outcome. */
export async function placeOrder({ name, key }: Line, order: Order): Promise<Outcome> {
  try {
    const { body } = await call('post', '/domains/transfer', { body: order }, { idempotencyKey: key });
    const { operation_id, domain_id } = body as OrderResponse;
    const known = { name, key, ...(domain_id ? { domainId: domain_id } : {}) };
    return {
      kind: 'ordered',
      line: operation_id ? { ...known, operationId: operation_id } : { ...known, isWaiting: true },
    };
  } catch (cause) {
    const error = asApiError(cause);
    return { kind: error.isRefusal ? 'refused' : 'unknown', error };
  }
}
