import { everyTenant, type Money, type Tx } from '@namehold/base';
import type { Actor, House } from '../house.ts';
import { changeChildWithin } from '../ledger/fund.ts';
import { changeWithin } from '../ledger/fund-customer.ts';
import { ledgerLimits } from '../ledger/ledger.ts';
import { addChargedBack, findPayment, insertPayment, lockExpected } from './payment.sql.ts';
import type { ExpectedPayment, Payment } from './payment.ts';
import { type Receipt, readAmount, type Telling, unmatched } from './receive.ts';
import { factsOf, tell } from './tell.ts';

/**
 * A charge-back: a provider has taken back what it had paid out. It comes off the balance of who had paid, also where it is not there any more: the
 * balance is below zero then, until money comes. What was bought with it stays bought, and bills stay paid.
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
  if (seen) return { fate: 'already_seen', expected: expected ?? null, payment: seen };
  if (!expected || expected.provider !== provider) return unmatched(house, tx, actor, telling, 'unknown_reference');
  if (telling.currency !== expected.currency) return unmatched(house, tx, actor, telling, 'wrong_currency');
  const amount = readAmount(telling.amount, expected.currency);
  // More than came cannot go back.
  if (!amount || amount.amount > expected.received - expected.charged_back)
    return unmatched(house, tx, actor, telling, 'wrong_amount');
  const payment: Payment = {
    id: house.ids.next('rcp'),
    reseller_id: resellerId,
    provider,
    event_id: eventId,
    expected_id: expected.id,
    fate: 'charged_back',
    reference: expected.reference,
    amount: amount.amount,
    currency: amount.currency,
    transaction_id: await debit(house, tx, actor, expected, amount),
    received_at: house.clock.now(),
    entry_date: null,
  };
  if (!(await insertPayment(tx, payment))) throw new Error(`payment ${eventId} was told twice at once`);
  const after = await addChargedBack(tx, expected.id, amount.amount);
  const { facts, shown } = factsOf(after, payment);
  const { customer_id, payer_id } = after;
  const payload = { ...facts, charged_back: shown(after.charged_back), customer_id, payer_id };
  await tell(house, tx, actor, after, payment, { type: 'payment.charged_back', payload });
  return { fate: 'charged_back', expected: after, payment };
}

async function debit(house: House, tx: Tx, actor: Actor, e: ExpectedPayment, amount: Money): Promise<string> {
  const description = `Charge-back of ${e.reference}: ${e.description}`.slice(0, ledgerLimits.descriptionLength);
  const kind = { posting: 'chargeback', receipts: -1n } as const;
  const made =
    e.customer_id === null
      ? await changeChildWithin(house, tx, actor, e.payer_id!, kind, { amount, description })
      : await changeWithin(house, tx, actor, e.customer_id, kind, { amount, description });
  return made.id;
}
