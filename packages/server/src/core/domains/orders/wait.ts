import { addDays, formatMoney } from '@namehold/base';
import { type Actor, type AppContext, write } from '../../app-context.ts';
import { audit } from '../../audit/audit.ts';
import { appendEvent } from '../../events/append.ts';
import { refuseInactiveChain } from '../../ledger/hold.ts';
import { insertBill } from '../../ledger/ledger.sql.ts';
import type { DomainKind } from '../../model/operation-kinds.ts';
import { draftQuote, priceForCustomer } from '../../quotes/draft.ts';
import { checkGuard, quotedAt } from '../../quotes/guard.ts';
import type { Purchase, PurchaseOrder } from '../buy/purchase.ts';
import { firstOrder, refusePlaced } from './first-order.ts';
import { encryptionContextOf, type Waiting } from './waiting.ts';
import { insertWaitingOrder } from './waiting-order.sql.ts';

/**
 * Records an order that runs when it is paid or executed. It is checked and priced like every order, but holds neither money nor the
 * domain name. The result of the checks is not stored, because it is checked again when it runs. Undefined if the customer pays nothing,
 * so that there is nothing to wait for.
 */
export async function placeWaitingOrder<K extends DomainKind, Order extends PurchaseOrder, Checked>(
  ctx: AppContext,
  actor: Actor,
  purchase: Purchase<K, Order, Checked>,
  order: Order,
): Promise<Waiting | undefined> {
  const { kind } = purchase.workflow;
  const checked = await purchase.check(ctx, actor, order);
  const { resellerId } = actor;
  await refuseInactiveChain(ctx.db.as(resellerId), resellerId);
  const now = ctx.clock.now();
  const db = ctx.db.as(resellerId);
  const ratesAt = await quotedAt(db, actor, order.guard);
  const requested = { ...purchase.price(order, checked, now), resellerId, at: now, ratesAt };
  const draft = await draftQuote(db, requested);
  const guard = await checkGuard(ctx, actor, draft, order.guard);
  const amount = await priceForCustomer(db, requested);
  if (amount.amount === 0n) return undefined;
  const expiresAt = addDays(now, ctx.config.orderDays);
  const warnings = purchase.warnings?.(order, checked) ?? [];
  return write(ctx, actor, async (tx) => {
    const second = { ...requested, kind, order, domainName: draft.domainName };
    const first = await firstOrder(ctx, tx, second);
    if (first) return { ...first, price: draft.total, warnings };
    const locked = purchase.checkLocked ? await purchase.checkLocked(ctx, tx, actor, order, checked) : checked;
    await refusePlaced(tx, second);
    const { domainId, customerId } = await purchase.subject(tx, actor, order, locked, now, 'waiting');
    const { years, bill } = draft;
    const transactionId = await insertBill(tx, now, { ...bill, years, resellerId, customerId, domainId, amount });
    await insertWaitingOrder(tx, {
      transaction_id: transactionId,
      reseller_id: resellerId,
      customer_id: customerId,
      domain_id: domainId,
      kind,
      order_sealed: ctx.vault.encrypt(JSON.stringify({ ...order, guard }), encryptionContextOf(transactionId)),
      created_at: now,
      expires_at: expiresAt,
    });
    const facts = { domain_id: domainId, domain_name: draft.domainName, customer_id: customerId };
    await audit(ctx, tx, actor, {
      action: 'order.wait',
      objectType: 'order',
      objectId: transactionId,
      after: { ...facts, kind, amount: formatMoney(amount), currency: amount.currency, expires_at: expiresAt },
    });
    await appendEvent(ctx, tx, {
      resellerId,
      type: 'order.waiting',
      objectId: transactionId,
      requestId: actor.requestId,
      payload: {
        ...facts,
        amount: { amount: formatMoney(amount), currency: amount.currency },
        expires_at: expiresAt.toISOString(),
      },
    });
    ctx.failpoint('order:in-wait');
    return {
      transactionId,
      domainId,
      domainName: draft.domainName,
      customerId,
      customerPrice: amount,
      price: draft.total,
      expiresAt,
      warnings,
    };
  });
}

export const orderLimits = {
  /** Bills in one call. */
  billsPerCall: 20,
  /** Orders that expire in one run of the background job. */
  expiredPerRun: 500,
};
