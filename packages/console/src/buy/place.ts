import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { asTrouble, type Trouble } from '../api/trouble.ts';
import type { Line, Mode, Order } from './basket.ts';

/** What came of sending an order: it is there, it was refused, or nobody knows. */
export type Outcome =
  | { readonly kind: 'ordered'; readonly line: Line }
  | { readonly kind: 'refused'; readonly trouble: Trouble }
  | { readonly kind: 'unknown'; readonly trouble: Trouble };

type Answer = Shape<'Order'> | Shape<'WaitingOrder'> | Shape<'AcceptedOrder'>;

/** Sends an order, or asks what became of it: both are the same words under the same key. */
export async function place(line: Line, order: Order): Promise<Outcome> {
  try {
    const { body } = await call('post', '/domains', { body: order }, { idempotencyKey: line.key });
    const { operation_id, domain_id } = body as Answer;
    const known = { ...line, ...(domain_id ? { domainId: domain_id } : {}) };
    return {
      kind: 'ordered',
      line: operation_id ? { ...known, operationId: operation_id } : { ...known, isWaiting: true },
    };
  } catch (error) {
    const trouble = asTrouble(error);
    return { kind: trouble.isRefusal ? 'refused' : 'unknown', trouble };
  }
}

/** An order cannot say how the name goes on at its end: that is set as soon as there is one. */
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
