import { call } from '../api/call.ts';
import { type ApiError, asApiError } from '../api/error.ts';
import type { Schema } from '../api/shapes.ts';
import type { Line, Mode, Order } from './cart.ts';

/** The result of sending an order. `unknown`: no response arrived. */
type Outcome =
  | { readonly kind: 'ordered'; readonly line: Line }
  | { readonly kind: 'refused'; readonly error: ApiError }
  | { readonly kind: 'unknown'; readonly error: ApiError };

type OrderResponse = Schema<'Order'> | Schema<'WaitingOrder'> | Schema<'AcceptedOrder'>;

/** Places an order, or repeats it with the same key to check its outcome. */
export async function placeOrder(line: Line, order: Order): Promise<Outcome> {
  try {
    const { body } = await call('post', '/domains', { body: order }, { idempotencyKey: line.key });
    const { operation_id, domain_id } = body as OrderResponse;
    const known = { ...line, ...(domain_id ? { domainId: domain_id } : {}) };
    return {
      kind: 'ordered',
      line: operation_id ? { ...known, operationId: operation_id } : { ...known, isWaiting: true },
    };
  } catch (cause) {
    const error = asApiError(cause);
    return { kind: error.isRefusal ? 'refused' : 'unknown', error };
  }
}

/** Sets the renewal mode after registration, because the order does not take one. */
export async function setMode(domainId: string, mode: Mode): Promise<boolean> {
  const set = call('put', '/domains/{domain_id}/renewal_mode', {
    path: { domain_id: domainId },
    body: { renewal_mode: mode },
  });
  return set.then(
    () => true,
    () => false,
  );
}
