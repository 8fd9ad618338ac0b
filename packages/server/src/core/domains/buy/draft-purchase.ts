import type { Money } from '@namehold/base';
import type { Reader } from '@namehold/postgres';
import type { Actor, AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import { refuseInactiveChain } from '../../ledger/hold.ts';
import type { DomainKind } from '../../model/operation-kinds.ts';
import { refuseSecond } from '../../operations/order.ts';
import { createQuote } from '../../quotes/create.ts';
import {
  asCustomerSees,
  draftQuote,
  type Invoicing,
  priceForCustomer,
  type QuoteDraft,
  type QuoteOrder,
  whatHappens,
} from '../../quotes/draft.ts';
import { checkGuard, quotedAt } from '../../quotes/guard.ts';
import type { Quote } from '../../quotes/quote.ts';
import { inCustomersTerms } from './customers-terms.ts';
import type { Purchase, PurchaseOrder, Wanted } from './purchase.ts';

/** With the customer's bill, if there is one. */
export interface PurchaseDraft extends QuoteDraft {
  readonly customerPrice?: Money;
  readonly warnings?: readonly string[];
}

/** The price and effect of a purchase. Nothing is stored. */
async function draft<K extends DomainKind, Order extends PurchaseOrder, Checked>(
  ctx: AppContext,
  actor: Actor,
  purchase: Purchase<K, Order, Checked>,
  order: Order,
  invoicing: Invoicing | 'quote' = 'none',
): Promise<PurchaseDraft> {
  const checked = await purchase.check(ctx, actor, order);
  const at = ctx.clock.now();
  const { resellerId } = actor;
  const db = ctx.db.as(resellerId);
  const ratesAt = await quotedAt(db, actor, order.guard);
  const requested = { ...purchase.price(order, checked, at), ratesAt };
  if (requested.domainId) await refuseSecond(db, requested.domainId);
  const warnings = purchase.warnings?.(order, checked) ?? [];
  const drafted: PurchaseDraft = { ...(await draftQuote(db, { ...requested, resellerId, at })), warnings };
  const { customerId } = actor;
  if (customerId !== undefined) return asCustomerSees(db, { ...requested, customerId, resellerId, at }, drafted);
  if (invoicing === 'none') return drafted;
  if (invoicing === 'quote') return { ...drafted, ...(await priceIfSet(db, { ...requested, resellerId, at })) };
  const customerPrice = await priceForCustomer(db, { ...requested, resellerId, at });
  return { ...drafted, customerPrice, whatHappens: whatHappens(drafted.act, drafted.total, invoicing) };
}

/** A quote does not say how the customer is billed, so a missing price is no error. */
async function priceIfSet(db: Reader, order: QuoteOrder): Promise<Pick<PurchaseDraft, 'customerPrice'>> {
  try {
    return { customerPrice: await priceForCustomer(db, order) };
  } catch (error) {
    if (error instanceof Refusal && error.code === 'price_not_set') return {};
    throw error;
  }
}

/** A dry run, checked against the price guard like the order itself. */
export async function draftPurchase<K extends DomainKind, Order extends PurchaseOrder, Checked>(
  ctx: AppContext,
  actor: Actor,
  purchase: Purchase<K, Order, Checked>,
  order: Order,
  invoicing: Invoicing = 'none',
): Promise<PurchaseDraft> {
  return inCustomersTerms(actor, async () => {
    const drafted = await draft(ctx, actor, purchase, order, invoicing);
    await checkGuard(ctx, actor, drafted, order.guard);
    await refuseInactiveChain(ctx.db.as(actor.resellerId), actor.resellerId);
    return drafted;
  });
}

/** A quote: the same price, stored and guaranteed for a limited time. */
export async function quotePurchase(
  ctx: AppContext,
  actor: Actor,
  purchase: Purchase,
  wanted: Wanted,
): Promise<Quote & Pick<PurchaseDraft, 'customerPrice'>> {
  return inCustomersTerms(actor, async () => {
    const drafted = await draft(ctx, actor, purchase, purchase.requested(wanted), 'quote');
    await refuseInactiveChain(ctx.db.as(actor.resellerId), actor.resellerId);
    const { customerPrice } = drafted;
    return { ...(await createQuote(ctx, actor, drafted)), ...(customerPrice && { customerPrice }) };
  });
}
