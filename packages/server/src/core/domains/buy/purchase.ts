import type { Tx } from '@namehold/base';
import type { Actor, AppContext } from '../../app-context.ts';
import type { DomainKind, Kinds } from '../../operations/kinds.ts';
import type { Workflow } from '../../operations/run.ts';
import type { QuoteOrder } from '../../quotes/draft.ts';
import type { PriceGuard } from '../../quotes/guard.ts';

/** What all orders have. An order is plain data: it can be written down and carried out later, checked and priced anew. */
export interface PurchaseOrder {
  readonly guard: PriceGuard;
  /** By the clockwork, as the renewal mode of the domain says: once a period. */
  readonly automatic?: true;
}

/** As much of an order as its price hangs on: what a quote is asked with. */
export interface Wanted {
  readonly domainName: string;
  readonly years: number;
  readonly privacy: boolean;
}

/** The domain that the money is for. */
export interface Subject {
  readonly domainId: string;
  /** Made in this very transaction. */
  readonly isNew: boolean;
  /** Null: no registry has a part in it. */
  readonly registryId: string | null;
  readonly customerId: string;
}

/** How the row of a new name comes about: with its order, while its order waits, or out of the row of an order that waited. */
export type Entry = 'ordered' | 'waiting' | { readonly waited: string };

/**
 * A thing that is sold. Whatever is sold has this form, stands in the table (purchases.ts), is ordered by one function
 * (order-purchase.ts) and priced by one (draft-purchase.ts): a quote, a dry run and an order cannot differ.
 */
export interface Purchase<
  K extends DomainKind = DomainKind,
  Order extends PurchaseOrder = PurchaseOrder,
  Checked = unknown,
> {
  /** The order that a quote stands for, without what its price does not hang on. */
  requested(wanted: Wanted): Order;
  /**
   * Everything that can be known to be wrong before money moves. It may ask the registry; no transaction is open. `mayQueryLater`: where another process
   * has to ask, it does so when it carries the order out.
   */
  check(ctx: AppContext, actor: Actor, order: Order, mayQueryLater?: boolean): Promise<Checked>;
  /** First thing in transaction A: what two orders at once could both have been allowed, by the row under its lock. */
  checkLocked?(ctx: AppContext, tx: Tx, actor: Actor, order: Order, checked: Checked): Promise<Checked>;
  /** Of what its price is made: the one source for quote, dry run and order. */
  price(order: Order, checked: Checked, now: Date): Omit<QuoteOrder, 'resellerId' | 'at'>;
  /** The domain it is for, in transaction A; a new name gets its row here. */
  subject(tx: Tx, actor: Actor, order: Order, checked: Checked, now: Date, entry: Entry): Promise<Subject>;
  /** Where it cannot be done exactly as ordered, and is done otherwise: one sentence each. */
  warnings?(order: Order, checked: Checked): readonly string[];
  /** What the workflow reads. */
  request(order: Order, checked: Checked, now: Date): Kinds[K]['request'];
  /** Last thing in transaction A: further rows that name the operation. */
  placed?(tx: Tx, order: Order, checked: Checked, operationId: string, now: Date): Promise<void>;
  /** What the workflow reads and nobody else may: sealed. Undefined: there is nothing. */
  secrets?(order: Order, checked: Checked): object | undefined;
  readonly workflow: Workflow<K>;
}
