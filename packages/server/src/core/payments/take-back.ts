import { everyTenant, type Tx } from '@namehold/base';
import type { Actor, House } from '../house.ts';
import { markPending } from './charge-back.sql.ts';
import { applyChargeBacks } from './charge-back.ts';
import { findPayment, insertPayment, lockExpected } from './payment.sql.ts';
import type { Payment } from './payment.ts';
import { readAmount } from './read-amount.ts';
import { type Receipt, type Telling, unmatched } from './receive.ts';
import { tellUnmatched } from './tell.ts';

/**
 * A charge-back: a provider has taken back what it had paid out. It comes off the balance of who had paid, also where it is not there any more: the
 * balance is below zero then, until money comes. What was bought with it stays bought, and bills stay paid. One that arrives before its payment waits
 * for it.
 */
export async function takeBack(house: House, actor: Actor, telling: Telling): Promise<Receipt> {
  house.point('payment:before-take-back');
  const receipt = await house.db.transaction(everyTenant, async (tx) => {
    const made = await takeBackWithin(house, tx, actor, telling);
    house.point('payment:in-take-back');
    return made;
  });
  house.point('payment:after-take-back');
  return receipt;
}

async function takeBackWithin(house: House, tx: Tx, actor: Actor, telling: Telling): Promise<Receipt> {
  const { resellerId } = actor;
  const { provider, eventId } = telling;
  const expected = await lockExpected(tx, resellerId, telling.wanted);
  const seen = await findPayment(tx, resellerId, provider, eventId);
  // A row of an earlier release has no amount, and may be a charge-back that waits: this notice says what it lacks.
  const isSettled = seen && (seen.expected_id !== null || seen.is_charge_back !== null || seen.accepted_at !== null);
  if (isSettled) return { fate: 'already_seen', expected: expected ?? null, payment: seen };
  const amount = expected ? readAmount(telling.amount, expected.currency) : undefined;
  const wrong = !expected
    ? 'unknown_reference'
    : telling.currency !== expected.currency
      ? 'wrong_currency'
      : amount
        ? undefined
        : 'wrong_amount';
  if (wrong || !expected || !amount)
    return seen
      ? { fate: 'already_seen', expected: expected ?? null, payment: seen }
      : unmatched(house, tx, actor, telling, wrong!, { isChargeBack: true });
  const id = seen?.id ?? house.ids.next('rcp');
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
    received_at: house.clock.now(),
    entry_date: null,
    from_line: false,
    is_charge_back: true,
    accepted_at: null,
  };
  if (seen) await markPending(tx, waiting);
  else if (!(await insertPayment(tx, waiting))) throw new Error(`charge-back ${eventId} arrived twice at once`);
  const { after, applied } = await applyChargeBacks(house, tx, actor, expected);
  const payment = applied.find((each) => each.id === id);
  if (payment) return { fate: 'charged_back', expected: after, payment };
  if (!seen) await tellUnmatched(house, tx, actor, waiting);
  return { fate: 'charge_back_pending', expected: null, payment: waiting };
}
