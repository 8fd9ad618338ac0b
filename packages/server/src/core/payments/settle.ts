import { allTenants, type Tx } from '@namehold/postgres';
import { schedulerFor } from '../actors.ts';
import type { AppContext } from '../app-context.ts';
import { billStatusText } from '../domains/orders/bill.ts';
import { runOrders } from '../domains/orders/run.ts';
import { Refusal } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import { selectTransactions } from '../ledger/ledger.sql.ts';
import { coveredPayments, dueSettlements, findExpected, lockExpected, markPaid, markSettled } from './payment.sql.ts';
import { type ExpectedPayment, paymentLimits } from './payment.ts';

/** The money stays on the balance, and settling is tried again. */
const temporaryRefusals = new Set(['unavailable', 'registry_unavailable', 'operation_in_progress', 'rate_limited']);

/** Pays bills whose money has arrived, and runs the orders that waited for it. Continues for a process that stopped between both. */
export async function settlePayments(ctx: AppContext): Promise<void> {
  for (const { id, reseller_id } of await coveredPayments(ctx.db.as(allTenants), paymentLimits.settledPerRun))
    await ctx.db.transaction(allTenants, async (tx) => {
      const expected = await lockExpected(tx, reseller_id, { id });
      if (expected?.state === 'open' && expected.received >= expected.amount) await markPaid(tx, id, ctx.clock.now());
    });
  for (const expected of await dueSettlements(ctx.db.as(allTenants), paymentLimits.settledPerRun))
    await settleOne(ctx, expected).catch((error: unknown) =>
      ctx.log.error({ payment_id: expected.id, err: error }, 'settling the bills of a payment failed; will retry'),
    );
}

/** Returns its state afterwards. Money that pays no bill stays on the customer's balance. */
export async function settleOne(ctx: AppContext, expected: ExpectedPayment): Promise<ExpectedPayment> {
  const { reseller_id: resellerId, customer_id: customerId } = expected;
  const actor = schedulerFor(expected, 'settle-payments');
  const filter = { viewerId: resellerId, resellerId, customerId: customerId!, ids: [...expected.bill_ids] };
  const page = { limit: expected.bill_ids.length, offset: 0 };
  const { rows } = await selectTransactions(ctx.db.as(allTenants), filter, page);
  const ids = rows.filter((bill) => bill.status === 'unpaid').map((bill) => bill.id);
  try {
    if (ids.length === 0)
      throw new Refusal('conflict', rows.map((bill) => `Order ${bill.id} ${billStatusText(bill)}.`).join(' '));
    // In one transaction with the bills: a payment that is still due has paid none of them.
    const noted = async (tx: Tx) => void (await markSettled(tx, expected.id, 'done', null));
    const order = { customerId: customerId!, ids, how: 'pay', alsoRun: true, noted } as const;
    const { operationIds } = await runOrders(ctx, actor, order);
    ctx.failpoint('payment:after-settle');
    for (const id of operationIds) void ctx.engine.start(id);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (!temporaryRefusals.has(error.code)) await notUsed(ctx, expected, error.message);
  }
  return (await findExpected(ctx.db.as(allTenants), resellerId, expected.id)) ?? expected;
}

async function notUsed(ctx: AppContext, expected: ExpectedPayment, reason: string): Promise<void> {
  await ctx.db.transaction(allTenants, async (tx) => {
    if (!(await markSettled(tx, expected.id, 'refused', reason))) return;
    await appendEvent(ctx, tx, {
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
