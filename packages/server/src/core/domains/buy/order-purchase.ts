import { formatMoney, type Money } from '@namehold/base';
import { type Tx, violatedConstraint } from '@namehold/postgres';
import type { Actor, AppContext } from '../../app-context.ts';
import { audit } from '../../audit/audit.ts';
import { Refusal } from '../../errors.ts';
import { holdBilled } from '../../ledger/hold.ts';
import type { Bill } from '../../ledger/ledger.ts';
import type { DomainKind } from '../../model/operation-kinds.ts';
import { placeOperation, throwInProgress } from '../../operations/order.ts';
import { asCustomerSees, draftQuote, priceForCustomer, type QuoteOrder } from '../../quotes/draft.ts';
import { passPriceGuard, quotedAt } from '../../quotes/guard.ts';
import { refusalOfDuplicate } from '../orders/first-order.ts';
import type { Purchase, PurchaseOrder, Subject } from './purchase.ts';

/** Whether and how the customer pays. `unpaidOrder`: the order waited for payment, so it has a bill and a domain row already. */
interface Billing {
  readonly how: Bill['how'];
  readonly unpaidOrder?: { readonly domainId: string; readonly bill: Omit<Bill, 'how'> };
}

/** Orders a purchase: checks it, then places it in one transaction. Returns the id of the operation to run. */
export async function orderPurchase<K extends DomainKind, Order extends PurchaseOrder, Checked>(
  ctx: AppContext,
  actor: Actor,
  purchase: Purchase<K, Order, Checked>,
  order: Order,
  billing?: Billing,
): Promise<string> {
  const { maxPrice, quoteId } = order.guard;
  // Orders with `max_price` or `quote_id` may be for premium domains, so the registry's price is checked first. Other orders accept only
  // the usual price.
  const mayQueryLater = maxPrice === undefined && quoteId === undefined;
  const checked = await purchase.check(ctx, actor, order, mayQueryLater);
  return mapOrderConflicts(ctx, purchase.workflow.kind, () =>
    ctx.db.transaction(
      actor.resellerId,
      (tx) => {
        refuseLate(actor);
        return place(ctx, tx, actor, purchase, order, checked, billing);
      },
      { since: actor.since },
    ),
  );
}

/** An order is accepted or refused within this time. */
const acceptanceLimitMs = 10_000;

/** The wait for a database connection or for the account's balance took longer than the time limit of the order. Nothing was started. */
function refuseLate({ since }: Actor): void {
  if (since !== undefined && performance.now() - since > acceptanceLimitMs)
    throw new Refusal('unavailable', 'Too many orders are queued before this one. Nothing was ordered.', {
      retryAfterSeconds: 2,
    });
}

/** Converts constraint violations of concurrent orders to refusals. The failpoints let recovery tests end the process here. */
export async function mapOrderConflicts<T>(ctx: AppContext, kind: DomainKind, work: () => Promise<T>): Promise<T> {
  try {
    ctx.failpoint(`${kind}:before-order`);
    return await work();
  } catch (error) {
    throwOrderConflict(error);
  } finally {
    ctx.failpoint(`${kind}:after-order`);
  }
}

/**
 * Of two concurrent orders for one domain the second gets the same answer as for a domain that is registered anywhere else. It must not
 * reveal other accounts of the platform.
 */
export function throwOrderConflict(error: unknown): never {
  const violated = violatedConstraint(error);
  if (violated === 'domain_name_once') throw new Refusal('domain_not_available');
  if (violated === 'domain_pending_once')
    throw new Refusal('operation_in_progress', 'The customer already has an order for this domain.', {
      retryAfterSeconds: 60,
    });
  return throwInProgress(error);
}

/** Transaction A: price, operation, price guard, hold, audit. After its commit the order cannot be lost. */
export async function place<K extends DomainKind, Order extends PurchaseOrder, Checked>(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  purchase: Purchase<K, Order, Checked>,
  order: Order,
  before: Checked,
  billing?: Billing,
): Promise<string> {
  const now = ctx.clock.now();
  const { resellerId, customerId } = actor;
  const duplicate = await findUnpaidDuplicate(ctx, tx, actor, purchase, order, before, billing);
  // An order paid from the balance is refused only if the balance is sufficient; otherwise it becomes the order that waits for payment.
  if (duplicate && billing?.how !== 'pay') throw duplicate;
  const checked = purchase.checkLocked ? await purchase.checkLocked(ctx, tx, actor, order, before) : before;
  const ratesAt = await quotedAt(tx, actor, order.guard);
  const requested = { ...purchase.price(order, checked, now), resellerId, at: now, ratesAt };
  const origin = billing?.unpaidOrder ? { unpaidOrder: billing.unpaidOrder.domainId } : 'ordered';
  const [draft, subject] = await Promise.all([
    draftQuote(tx, requested),
    purchase.subject(tx, actor, order, checked, now, origin),
  ]);
  const { domainId, isNew, registryId } = subject;
  // A customer agreed to the customer price.
  const seen = customerId === undefined ? draft : await asCustomerSees(tx, requested, draft);
  const bill = billing && (await billFor(tx, billing, subject, requested));
  const request = purchase.request(order, checked, now);
  const secrets = purchase.secrets?.(order, checked);
  return placeOperation<K>(ctx, tx, actor, {
    kind: purchase.workflow.kind,
    domainId,
    isNewDomain: isNew,
    registryId,
    request,
    ...(secrets ? { secrets } : {}),
    startsAtOnce: true,
    async holdMoney(operationId) {
      await passPriceGuard(tx, { resellerId, customerId, operationId, now }, seen, order.guard);
      const { levels, cost, years } = draft;
      const held = await holdBilled(ctx, tx, {
        levels,
        operationId,
        domainId,
        years,
        ...draft.bill,
        ...(cost ? { registryCost: cost } : {}),
        bill,
      });
      if (duplicate) throw duplicate;
      return held;
    },
    inSameTransaction: (id) =>
      Promise.all([
        audit(ctx, tx, actor, {
          action: `domain.${draft.kind}`,
          objectType: 'domain',
          objectId: domainId,
          after: { ...request, operation_id: id, total: show(draft.total), ...(bill ? { billed: billed(bill) } : {}) },
        }),
        purchase.placed?.(tx, order, checked, id, now),
      ]),
  });
}

/** An order that waited for payment is itself the first order. An automatic renewal does not depend on the customer's payment. */
async function findUnpaidDuplicate<K extends DomainKind, Order extends PurchaseOrder, Checked>(
  ctx: AppContext,
  tx: Tx,
  { resellerId }: Actor,
  purchase: Purchase<K, Order, Checked>,
  order: Order,
  checked: Checked,
  billing?: Billing,
): Promise<Refusal | undefined> {
  if (billing?.unpaidOrder || order.automatic) return undefined;
  const requested = purchase.price(order, checked, ctx.clock.now());
  return refusalOfDuplicate(ctx, tx, { ...requested, resellerId, kind: purchase.workflow.kind, order });
}

/** Undefined if the customer pays nothing. */
async function billFor(
  tx: Tx,
  { how, unpaidOrder }: Billing,
  subject: Subject,
  requested: QuoteOrder,
): Promise<Bill | undefined> {
  if (!unpaidOrder) {
    const amount = await priceForCustomer(tx, requested);
    return amount.amount === 0n ? undefined : { customerId: subject.customerId, amount, how };
  }
  if (unpaidOrder.bill.customerId !== subject.customerId)
    throw new Refusal('conflict', 'The domain now belongs to another customer. Cancel this order.');
  // The same domain name may have a new id by now, and the order was not for that domain.
  if (unpaidOrder.domainId !== subject.domainId)
    throw new Refusal(
      'conflict',
      `The order was for domain ${unpaidOrder.domainId}, which is no longer in this account. Cancel this order.`,
    );
  return { ...unpaidOrder.bill, how };
}

const show = (total: Money): string => `${formatMoney(total)} ${total.currency}`;

const billed = ({ customerId, amount, how }: Bill) => ({ customer_id: customerId, amount: show(amount), how });
