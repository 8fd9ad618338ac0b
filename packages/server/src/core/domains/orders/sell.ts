import type { Actor, AppContext } from '../../app-context.ts';
import { InsufficientBalance } from '../../ledger/hold.ts';
import type { DomainKind } from '../../model/operation-kinds.ts';
import type { Invoicing } from '../../quotes/draft.ts';
import { inCustomersTerms } from '../buy/customers-terms.ts';
import { orderPurchase } from '../buy/order-purchase.ts';
import type { Purchase, PurchaseOrder } from '../buy/purchase.ts';
import { explainTaken } from '../search/explain-taken.ts';
import { placeWaitingOrder } from './wait.ts';
import type { Waiting } from './waiting.ts';

type Ordered =
  | { readonly kind: 'placed'; readonly operationId: string }
  | { readonly kind: 'waits'; readonly waiting: Waiting };

/** Orders any product for a customer. */
export async function sell<K extends DomainKind, Order extends PurchaseOrder, Checked>(
  ctx: AppContext,
  actor: Actor,
  purchase: Purchase<K, Order, Checked>,
  order: Order,
  invoicing: Invoicing,
): Promise<Ordered> {
  try {
    return await sellTo(ctx, actor, purchase, order, invoicing);
  } catch (error) {
    throw await explainTaken(ctx, actor, order, error);
  }
}

async function sellTo<K extends DomainKind, Order extends PurchaseOrder, Checked>(
  ctx: AppContext,
  actor: Actor,
  purchase: Purchase<K, Order, Checked>,
  order: Order,
  invoicing: Invoicing,
): Promise<Ordered> {
  // A customer's own order is paid at once or refused.
  if (actor.customerId !== undefined) {
    const place = () => orderPurchase(ctx, actor, purchase, order, { how: 'pay' });
    return { kind: 'placed', operationId: await inCustomersTerms(actor, place) };
  }
  if (invoicing !== 'wait') {
    try {
      const billing = invoicing === 'none' ? undefined : { how: invoicing };
      return { kind: 'placed', operationId: await orderPurchase(ctx, actor, purchase, order, billing) };
    } catch (error) {
      if (!(error instanceof InsufficientBalance)) throw error;
    }
  }
  const waiting = await placeWaitingOrder(ctx, actor, purchase, order);
  if (waiting) return { kind: 'waits', waiting };
  return { kind: 'placed', operationId: await orderPurchase(ctx, actor, purchase, order) };
}
