import type { Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../../app-context.ts';
import type { DomainKind, Kinds } from '../../model/operation-kinds.ts';
import type { Workflow } from '../../operations/run.ts';
import type { QuoteOrder } from '../../quotes/draft.ts';
import type { PriceGuard } from '../../quotes/guard.ts';

/** Fields of all orders. An order is plain data: it can be stored, executed later, and checked and priced again. */
export interface PurchaseOrder {
  readonly guard: PriceGuard;
  /** Placed by a background job as the renewal mode of the domain requires, once per period. */
  readonly automatic?: true;
}

/** The fields on which the price of an order depends, as given in a quote request. */
export interface Wanted {
  readonly domainName: string;
  readonly years: number;
  readonly privacy: boolean;
}

/** The domain that is paid for. */
export interface Subject {
  readonly domainId: string;
  /** Its row was created in this transaction. */
  readonly isNew: boolean;
  /** Null: no registry is involved. */
  readonly registryId: string | null;
  readonly customerId: string;
}

/**
 * How the row of a new domain is created: with its order, with an order that waits for payment, or from the row of an order that waited.
 */
type Entry = 'ordered' | 'waiting' | { readonly unpaidOrder: string };

/**
 * A product that is sold. Every product has this form and is listed in purchases.ts. One function orders it (order-purchase.ts) and one
 * prices it (draft-purchase.ts), so a quote, a dry run and an order cannot differ.
 */
export interface Purchase<
  K extends DomainKind = DomainKind,
  Order extends PurchaseOrder = PurchaseOrder,
  Checked = unknown,
> {
  /** The order that a quote stands for, without the fields that do not affect its price. */
  requested(wanted: Wanted): Order;
  /**
   * Checks everything that can be checked before money moves. It may query the registry; no transaction is open. `mayQueryLater`: if
   * another process has to query the registry, the query is made when the order is executed.
   */
  check(ctx: AppContext, actor: Actor, order: Order, mayQueryLater?: boolean): Promise<Checked>;
  /** The first step of transaction A: repeats, on the locked row, the checks that two concurrent orders could both have passed. */
  checkLocked?(ctx: AppContext, tx: Tx, actor: Actor, order: Order, checked: Checked): Promise<Checked>;
  /** The parts of the price: the one source for quote, dry run and order. */
  price(order: Order, checked: Checked, now: Date): Omit<QuoteOrder, 'resellerId' | 'at'>;
  /** The domain that is paid for, in transaction A; the row of a new domain is created here. */
  subject(tx: Tx, actor: Actor, order: Order, checked: Checked, now: Date, entry: Entry): Promise<Subject>;
  /** One sentence for each part of the order that is executed differently from what was ordered. */
  warnings?(order: Order, checked: Checked): readonly string[];
  /** The data that the workflow reads. */
  request(order: Order, checked: Checked, now: Date): Kinds[K]['request'];
  /** The last step of transaction A: further rows that reference the operation. */
  placed?(tx: Tx, order: Order, checked: Checked, operationId: string, now: Date): Promise<void>;
  /** Secret data that only the workflow reads, stored encrypted. Undefined: there is none. */
  secrets?(order: Order, checked: Checked): object | undefined;
  readonly workflow: Workflow<K>;
}
