import { everyTenant, type Tx } from '@namehold/base';
import { standing } from '../domains/orders/bill.ts';
import { runOrders } from '../domains/orders/run.ts';
import { clockworkFor } from '../domains/system-actor.ts';
import { Refusal } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import type { House } from '../house.ts';
import { selectTransactions } from '../ledger/ledger.sql.ts';
import { coveredPayments, dueSettlements, findExpected, lockExpected, markPaid, markSettled } from './payment.sql.ts';
import { type ExpectedPayment, paymentLimits } from './payment.ts';

/** What comes by itself: the money waits on the balance, and it is tried again. */
const passing = new Set(['unavailable', 'registry_unavailable', 'operation_in_progress', 'rate_limited']);

/** Bills whose money is there are paid, and the orders that waited for it run. A process that died between both left it to the next. */
export async function settlePayments(house: House): Promise<void> {
  for (const { id, reseller_id } of await coveredPayments(house.db.as(everyTenant), paymentLimits.settledPerRun))
    await house.db.transaction(everyTenant, async (tx) => {
      const expected = await lockExpected(tx, reseller_id, { id });
      if (expected?.state === 'open' && expected.received >= expected.amount) await markPaid(tx, id, house.clock.now());
    });
  for (const expected of await dueSettlements(house.db.as(everyTenant), paymentLimits.settledPerRun))
    await settleOne(house, expected).catch((error: unknown) =>
      house.log.error({ payment_id: expected.id, err: error }, 'bills of a payment were not settled'),
    );
}

/** Answers with how it stands after. Whatever cannot be paid for stays on the customer's balance. */
export async function settleOne(house: House, expected: ExpectedPayment): Promise<ExpectedPayment> {
  const { reseller_id: resellerId, customer_id: customerId } = expected;
  const actor = clockworkFor(expected, 'settle-payments');
  const filter = { viewerId: resellerId, resellerId, customerId: customerId!, ids: [...expected.bill_ids] };
  const page = { limit: expected.bill_ids.length, offset: 0 };
  const { rows } = await selectTransactions(house.db.as(everyTenant), filter, page);
  const ids = rows.filter((bill) => bill.status === 'unpaid').map((bill) => bill.id);
  try {
    if (ids.length === 0)
      throw new Refusal('conflict', rows.map((bill) => `Order ${bill.id} ${standing(bill)}.`).join(' '));
    // In one transaction with the bills: whoever finds it due knows that none was paid by it.
    const noted = async (tx: Tx) => void (await markSettled(tx, expected.id, 'done', null));
    const order = { customerId: customerId!, ids, how: 'pay', alsoRun: true, noted } as const;
    const { operationIds } = await runOrders(house, actor, order);
    house.point('payment:after-settle');
    for (const id of operationIds) void house.engine.start(id);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (!passing.has(error.code)) await notUsed(house, expected, error.message);
  }
  return (await findExpected(house.db.as(everyTenant), resellerId, expected.id)) ?? expected;
}

async function notUsed(house: House, expected: ExpectedPayment, reason: string): Promise<void> {
  await house.db.transaction(everyTenant, async (tx) => {
    if (!(await markSettled(tx, expected.id, 'refused', reason))) return;
    await appendEvent(house, tx, {
      resellerId: expected.reseller_id,
      type: 'payment.not_used',
      objectId: expected.id,
      requestId: 'settle-payments',
      payload: {
        payment_id: expected.id,
        customer_id: expected.customer_id!,
        bill_ids: [...expected.bill_ids],
        reason,
      },
    });
  });
}
