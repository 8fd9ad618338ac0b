import type { Actor, House } from '../../house.ts';
import { CustomerLacks } from '../../ledger/hold.ts';
import type { DomainKind } from '../../operations/kinds.ts';
import type { Invoicing } from '../../quotes/draft.ts';
import { inCustomersTerms } from '../buy/customers-terms.ts';
import { orderPurchase } from '../buy/order-purchase.ts';
import type { Purchase, PurchaseOrder } from '../buy/purchase.ts';
import { letWait } from './wait.ts';
import type { Waiting } from './waiting.ts';

export type Ordered =
  | { readonly kind: 'placed'; readonly operationId: string }
  | { readonly kind: 'waits'; readonly waiting: Waiting };

/** Whatever is sold, ordered for a customer. */
export async function sell<K extends DomainKind, Order extends PurchaseOrder, Checked>(
  house: House,
  actor: Actor,
  purchase: Purchase<K, Order, Checked>,
  order: Order,
  invoicing: Invoicing,
): Promise<Ordered> {
  // What a customer orders by itself it pays at once, or it is not ordered.
  if (actor.customerId !== undefined) {
    const place = () => orderPurchase(house, actor, purchase, order, { how: 'pay' });
    return { kind: 'placed', operationId: await inCustomersTerms(actor, place) };
  }
  if (invoicing !== 'wait') {
    try {
      const billing = invoicing === 'none' ? undefined : { how: invoicing };
      return { kind: 'placed', operationId: await orderPurchase(house, actor, purchase, order, billing) };
    } catch (error) {
      if (!(error instanceof CustomerLacks)) throw error;
    }
  }
  const waiting = await letWait(house, actor, purchase, order);
  if (waiting) return { kind: 'waits', waiting };
  return { kind: 'placed', operationId: await orderPurchase(house, actor, purchase, order) };
}
