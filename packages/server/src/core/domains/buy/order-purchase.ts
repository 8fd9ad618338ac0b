import { formatMoney, type Money, type Tx, violatedConstraint } from '@namehold/base';
import type { Actor, AppContext } from '../../app-context.ts';
import { audit } from '../../audit/audit.ts';
import { Refusal } from '../../errors.ts';
import { holdBilled } from '../../ledger/hold.ts';
import type { Bill } from '../../ledger/ledger.ts';
import type { DomainKind } from '../../operations/kinds.ts';
import { asInProgress, placeOperation } from '../../operations/order.ts';
import { asCustomerSees, draftQuote, priceForCustomer, type QuoteOrder } from '../../quotes/draft.ts';
import { passPriceGuard, quotedAt } from '../../quotes/guard.ts';
import { refusalOfSecond } from '../orders/first-order.ts';
import type { Purchase, PurchaseOrder, Subject } from './purchase.ts';

/** Whether and how the customer pays for it. `waited`: it is an order that waited, with its bill and the row of its name. */
export interface Billing {
  readonly how: Bill['how'];
  readonly waited?: { readonly domainId: string; readonly bill: Omit<Bill, 'how'> };
}

/** Orders whatever is sold: checked, then placed in one transaction. Answers with the id of the operation to be run. */
export async function orderPurchase<K extends DomainKind, Order extends PurchaseOrder, Checked>(
  ctx: AppContext,
  actor: Actor,
  purchase: Purchase<K, Order, Checked>,
  order: Order,
  billing?: Billing,
): Promise<string> {
  const { maxPrice, quoteId } = order.guard;
  // Who has seen a price of its own has said so: that order has to know what the registry asks. Everybody else is sold the usual price or nothing.
  const mayQueryLater = maxPrice === undefined && quoteId === undefined;
  const checked = await purchase.check(ctx, actor, order, mayQueryLater);
  return placing(ctx, purchase.workflow.kind, () =>
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

/** Who orders is told within this time that it is taken in, or that it is not. */
const takenInMs = 10_000;

/** The line was too long: a connection came, or the account's money, after the caller had been promised an answer. Nothing was begun. */
function refuseLate({ since }: Actor): void {
  if (since !== undefined && performance.now() - since > takenInMs)
    throw new Refusal('unavailable', 'Too many orders are queued before this one. Nothing was ordered.', {
      retryAfterSeconds: 2,
    });
}

/** What two orders at once run into, in the words for it; and the points at which recovery tests let the process die. */
export async function placing<T>(ctx: AppContext, kind: DomainKind, work: () => Promise<T>): Promise<T> {
  try {
    ctx.failpoint(`${kind}:before-order`);
    return await work();
  } catch (error) {
    asTaken(error);
  } finally {
    ctx.failpoint(`${kind}:after-order`);
  }
}

/** Of two orders for one name at once the second is told the same as of a name that is taken anywhere: who is on the platform is nobody's business. */
export function asTaken(error: unknown): never {
  const violated = violatedConstraint(error);
  if (violated === 'domain_name_once') throw new Refusal('domain_not_available');
  if (violated === 'domain_pending_once')
    throw new Refusal('operation_in_progress', 'The customer already has an order for this domain.', {
      retryAfterSeconds: 60,
    });
  return asInProgress(error);
}

/** Transaction A: price, operation, guard, hold, audit. From its commit on nothing can be forgotten. */
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
  const second = await findSecond(ctx, tx, actor, purchase, order, before, billing);
  // Paid from the balance it is refused only where the balance suffices: else it is the order that waits already.
  if (second && billing?.how !== 'pay') throw second;
  const checked = purchase.checkLocked ? await purchase.checkLocked(ctx, tx, actor, order, before) : before;
  const ratesAt = await quotedAt(tx, actor, order.guard);
  const requested = { ...purchase.price(order, checked, now), resellerId, at: now, ratesAt };
  const entry = billing?.waited ? { waited: billing.waited.domainId } : 'ordered';
  const [draft, subject] = await Promise.all([
    draftQuote(tx, requested),
    purchase.subject(tx, actor, order, checked, now, entry),
  ]);
  const { domainId, isNew, registryId } = subject;
  // A customer agreed to its own price.
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
    async money(operationId) {
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
      if (second) throw second;
      return held;
    },
    alongside: (id) =>
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

/** An order that waited is the first itself. An automatic renewal does not depend on the customer's payment. */
async function findSecond<K extends DomainKind, Order extends PurchaseOrder, Checked>(
  ctx: AppContext,
  tx: Tx,
  { resellerId }: Actor,
  purchase: Purchase<K, Order, Checked>,
  order: Order,
  checked: Checked,
  billing?: Billing,
): Promise<Refusal | undefined> {
  if (billing?.waited || order.automatic) return undefined;
  const requested = purchase.price(order, checked, ctx.clock.now());
  return refusalOfSecond(ctx, tx, { ...requested, resellerId, kind: purchase.workflow.kind, order });
}

/** None where the customer pays nothing. */
async function billFor(
  tx: Tx,
  { how, waited }: Billing,
  subject: Subject,
  requested: QuoteOrder,
): Promise<Bill | undefined> {
  if (!waited) {
    const amount = await priceForCustomer(tx, requested);
    return amount.amount === 0n ? undefined : { customerId: subject.customerId, amount, how };
  }
  if (waited.bill.customerId !== subject.customerId)
    throw new Refusal('conflict', 'The domain now belongs to another customer. Cancel this order.');
  // The same name may be here under another id by now: what was ordered is not for that one.
  if (waited.domainId !== subject.domainId)
    throw new Refusal('conflict', `The order was for domain ${waited.domainId}, which is no longer here.`);
  return { ...waited.bill, how };
}

const show = (total: Money): string => `${formatMoney(total)} ${total.currency}`;

const billed = ({ customerId, amount, how }: Bill) => ({ customer_id: customerId, amount: show(amount), how });
