import { allTenants, type Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { markPending } from './charge-back.sql.ts';
import { applyChargeBacks } from './charge-back.ts';
import { findPayment, insertPayment, lockExpected } from './payment.sql.ts';
import type { Payment } from './payment.ts';
import { readAmount } from './read-amount.ts';
import { type PaymentReport, type Receipt, unmatched } from './receive.ts';
import { recordUnmatched } from './record-payment.ts';

/**
 * A charge-back: a provider has taken back what it had paid out. It is debited from the payer even if the money is already used: the
 * balance is then below zero until money arrives. Purchases and paid bills stay as they are. A charge-back that arrives before its
 * payment is pending.
 */
export async function recordChargeBack(ctx: AppContext, actor: Actor, report: PaymentReport): Promise<Receipt> {
  ctx.failpoint('payment:before-take-back');
  const receipt = await ctx.db.transaction(allTenants, async (tx) => {
    const made = await recordChargeBackWithin(ctx, tx, actor, report);
    ctx.failpoint('payment:in-take-back');
    return made;
  });
  ctx.failpoint('payment:after-take-back');
  return receipt;
}

async function recordChargeBackWithin(ctx: AppContext, tx: Tx, actor: Actor, report: PaymentReport): Promise<Receipt> {
  const { resellerId } = actor;
  const { provider, eventId } = report;
  const expected = await lockExpected(tx, resellerId, report.wanted);
  const seen = await findPayment(tx, resellerId, provider, eventId);
  // A row of an earlier release has no amount, and may be a pending charge-back: this notice completes it.
  const isSettled = seen && (seen.expected_id !== null || seen.is_charge_back !== null || seen.accepted_at !== null);
  if (isSettled) return { fate: 'already_seen', expected: expected ?? null, payment: seen };
  const amount = expected ? readAmount(report.amount, expected.currency) : undefined;
  const wrong = !expected
    ? 'unknown_reference'
    : report.currency !== expected.currency
      ? 'wrong_currency'
      : amount
        ? undefined
        : 'wrong_amount';
  if (wrong || !expected || !amount)
    return seen
      ? { fate: 'already_seen', expected: expected ?? null, payment: seen }
      : unmatched(ctx, tx, actor, report, wrong!, { isChargeBack: true });
  const id = seen?.id ?? ctx.ids.next('rcp');
  const waiting: Payment = {
    id,
    reseller_id: resellerId,
    provider,
    event_id: eventId,
    expected_id: null,
    fate: 'charge_back_pending',
    reference: expected.reference,
    amount: amount.amount,
    currency: amount.currency,
    transaction_id: null,
    received_at: ctx.clock.now(),
    entry_date: null,
    from_line: false,
    is_charge_back: true,
    accepted_at: null,
  };
  if (seen) await markPending(tx, waiting);
  else if (!(await insertPayment(tx, waiting)))
    throw new Error(`charge-back ${eventId} arrived twice at the same time`);
  const { after, applied } = await applyChargeBacks(ctx, tx, actor, expected);
  const payment = applied.find((each) => each.id === id);
  if (payment) return { fate: 'charged_back', expected: after, payment };
  if (!seen) await recordUnmatched(ctx, tx, actor, waiting);
  return { fate: 'charge_back_pending', expected: null, payment: waiting };
}
