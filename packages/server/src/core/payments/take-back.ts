import { everyTenant, formatMoney, type Money, money, type Tx } from '@namehold/base';
import { audit } from '../audit/audit.ts';
import { appendEvent } from '../events/append.ts';
import type { Actor, House } from '../house.ts';
import { changeChildWithin } from '../ledger/fund.ts';
import { changeWithin } from '../ledger/fund-customer.ts';
import { ledgerLimits } from '../ledger/ledger.ts';
import { addChargedBack, findPayment, insertPayment, lockExpected } from './payment.sql.ts';
import type { ExpectedPayment, Payment } from './payment.ts';
import { type Receipt, readAmount, type Telling, unmatched } from './receive.ts';

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
  };
  if (!(await insertPayment(tx, payment))) throw new Error(`payment ${eventId} was told twice at once`);
  const after = await addChargedBack(tx, expected.id, amount.amount);
  await tell(house, tx, actor, after, payment, amount);
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

async function tell(house: House, tx: Tx, actor: Actor, e: ExpectedPayment, payment: Payment, amount: Money) {
  const shown = ({ amount: minor, currency }: Money) => ({ amount: formatMoney(money(minor, currency)), currency });
  const facts = {
    payment_id: e.id,
    reference: e.reference,
    amount: shown(amount),
    charged_back: shown(money(e.charged_back, e.currency)),
    transaction_id: payment.transaction_id!,
  };
  await audit(house, tx, actor, {
    action: 'payment.charge_back',
    objectType: 'payment',
    objectId: e.id,
    after: { ...facts, provider: payment.provider, event_id: payment.event_id },
  });
  await appendEvent(house, tx, {
    resellerId: e.reseller_id,
    type: 'payment.charged_back',
    objectId: e.id,
    requestId: actor.requestId,
    payload: { ...facts, customer_id: e.customer_id, payer_id: e.payer_id },
  });
}
