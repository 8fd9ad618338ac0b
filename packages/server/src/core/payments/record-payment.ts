import { formatMoney, money } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { appendEvent, type NewEvent } from '../events/append.ts';
import type { ExpectedPayment, Payment } from './payment.ts';

type PaymentEvent = Extract<NewEvent, { readonly type: 'payment.received' | 'payment.charged_back' }>;

/** Records received money or a charge-back and emits its event, in the transaction that moved the money. */
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

/** Fields that both events have. */
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

/** Records money of an unknown payer and notifies the seller once. */
export async function recordUnmatched(ctx: AppContext, tx: Tx, actor: Actor, payment: Payment): Promise<void> {
  await appendEvent(ctx, tx, {
    resellerId: payment.reseller_id,
    type: 'payment.unmatched',
    objectId: payment.id,
    requestId: actor.requestId,
    payload: { provider: payment.provider, event_id: payment.event_id, reason: payment.fate },
  });
}
