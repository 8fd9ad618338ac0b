import type { Actor, House } from '../../house.ts';
import { CustomerLacks } from '../../ledger/hold.ts';
import type { DomainKind } from '../../operations/kinds.ts';
import { orderPurchase } from '../buy/order-purchase.ts';
import type { Purchase, PurchaseOrder } from '../buy/purchase.ts';
import { letWait, type Waiting } from './wait.ts';

/**
 * How the customer of an order is billed. `none`: not at all. `keep`: it runs, and the bill stays open. `pay`: from the customer's balance; where
 * that does not suffice the order waits. `wait`: it runs when it is paid or executed.
 */
export type Invoicing = 'none' | 'keep' | 'pay' | 'wait';

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
  if (invoicing === 'wait') return { kind: 'waits', waiting: await letWait(house, actor, purchase, order) };
  try {
    const billing = invoicing === 'none' ? undefined : { how: invoicing };
    return { kind: 'placed', operationId: await orderPurchase(house, actor, purchase, order, billing) };
  } catch (error) {
    if (!(error instanceof CustomerLacks)) throw error;
    return { kind: 'waits', waiting: await letWait(house, actor, purchase, order) };
  }
}
