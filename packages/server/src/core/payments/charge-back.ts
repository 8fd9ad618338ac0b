import { type Money, money } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { changeChildWithin } from '../ledger/fund.ts';
import { changeWithin } from '../ledger/fund-customer.ts';
import { ledgerLimits } from '../ledger/ledger.ts';
import { chargeBacksOf, markChargedBack, pendingChargeBacks } from './charge-back.sql.ts';
import { addChargedBack } from './payment.sql.ts';
import { type ExpectedPayment, type Payment, paymentLimits } from './payment.ts';
import { factsOf, recordPayment } from './record-payment.ts';

/**
 * Matches pending charge-backs with money of this payment, oldest first. Each is debited once, as soon as enough money arrived to cover
 * it. The caller holds the lock of the expected payment.
 */
export async function applyChargeBacks(
  ctx: AppContext,
  tx: Tx,
  { idempotency: _, ...actor }: Actor,
  expected: ExpectedPayment,
): Promise<{ readonly after: ExpectedPayment; readonly applied: readonly Payment[] }> {
  let after = expected;
  const applied: Payment[] = [];
  for (const each of await pendingChargeBacks(tx, expected, paymentLimits.chargeBacksPerPayment)) {
    if (each.amount > (await takeable(tx, after, each.provider))) continue;
    const transactionId = await debit(ctx, tx, actor, after, money(each.amount, after.currency));
    const payment = await markChargedBack(tx, each.id, after.id, transactionId);
    after = await addChargedBack(tx, after.id, each.amount);
    const { facts, shown } = factsOf(after, payment);
    const { customer_id, payer_id } = after;
    const payload = { ...facts, charged_back: shown(after.charged_back), customer_id, payer_id };
    await recordPayment(ctx, tx, actor, after, payment, { type: 'payment.charged_back', payload });
    applied.push(payment);
  }
  return { after, applied };
}

/**
 * A charge-back cannot exceed what arrived. If the payment is expected from another provider, it cannot exceed what arrived from this
 * one.
 */
async function takeable(tx: Tx, expected: ExpectedPayment, provider: string): Promise<bigint> {
  const left = expected.received - expected.charged_back;
  if (expected.provider === provider) return left;
  const { came, back } = await chargeBacksOf(tx, expected.id, provider);
  return came - back < left ? came - back : left;
}

async function debit(ctx: AppContext, tx: Tx, actor: Actor, e: ExpectedPayment, amount: Money): Promise<string> {
  const description = `Charge-back of ${e.reference}: ${e.description}`.slice(0, ledgerLimits.descriptionLength);
  const kind = { posting: 'chargeback', receipts: -1n } as const;
  const made =
    e.customer_id === null
      ? await changeChildWithin(ctx, tx, actor, e.payer_id!, kind, { amount, description })
      : await changeWithin(ctx, tx, actor, e.customer_id, kind, { amount, description });
  return made.id;
}
