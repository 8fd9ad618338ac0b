import { formatMoney, money, type Tx } from '@namehold/base';
import type { Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { appendEvent, type NewEvent } from '../events/append.ts';
import type { ExpectedPayment, Payment } from './payment.ts';

type PaymentEvent = Extract<NewEvent, { readonly type: 'payment.received' | 'payment.charged_back' }>;

/** Money came, or was taken back: written down and told, in the transaction that moved it. */
export async function recordPayment(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  e: ExpectedPayment,
  payment: Payment,
  { type, payload }: Pick<PaymentEvent, 'type' | 'payload'>,
): Promise<void> {
  await audit(ctx, tx, actor, {
    action: type === 'payment.received' ? 'payment.receive' : 'payment.charge_back',
    objectType: 'payment',
    objectId: e.id,
    after: { ...payload, provider: payment.provider, event_id: payment.event_id },
  });
  const event = { resellerId: e.reseller_id, objectId: e.id, requestId: actor.requestId, type, payload };
  await appendEvent(ctx, tx, event as PaymentEvent);
}

/** What both say of it. */
export function factsOf(e: ExpectedPayment, payment: Payment) {
  const shown = (amount: bigint) => ({ amount: formatMoney(money(amount, e.currency)), currency: e.currency });
  const facts = {
    payment_id: e.id,
    reference: e.reference,
    amount: shown(payment.amount!),
    transaction_id: payment.transaction_id!,
  };
  return { facts, shown };
}

/** Money came or was taken back, and it is not known of whom: the seller hears of it, once. */
export async function recordUnmatched(ctx: AppContext, tx: Tx, actor: Actor, payment: Payment): Promise<void> {
  await appendEvent(ctx, tx, {
    resellerId: payment.reseller_id,
    type: 'payment.unmatched',
    objectId: payment.id,
    requestId: actor.requestId,
    payload: { provider: payment.provider, event_id: payment.event_id, reason: payment.fate },
  });
}
