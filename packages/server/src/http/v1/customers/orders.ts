import { z } from 'zod';
import type { AppContext } from '../../../core/app-context.ts';
import { readCustomer } from '../../../core/customers/read.ts';
import { cancelOrder } from '../../../core/domains/orders/cancel.ts';
import { retryOrder } from '../../../core/domains/orders/retry.ts';
import { type Ran, type Running, runOrders } from '../../../core/domains/orders/run.ts';
import { orderLimits } from '../../../core/domains/orders/wait.ts';
import { refusalOf } from '../../../core/domains/registry/refuse.ts';
import { badField } from '../../../core/errors.ts';
import type { Transaction } from '../../../core/ledger/ledger.ts';
import { findTransaction } from '../../../core/ledger/transactions.ts';
import type { ErrorCode } from '../../errors.ts';
import { flag, id, list } from '../../field.ts';
import { type Caller, type Route, route } from '../../route.ts';
import { showTransaction, transactionExample, transactionView } from '../billing/transaction-view.ts';
import { purchaseErrors } from '../domains/buy/order-errors.ts';
import { preferences } from '../domains/operation-answer.ts';

const customer_id = id('Id of the customer.');
const transaction_id = id('The order: the transaction_id in its response.');
const transaction_ids = list({
  max: orderLimits.billsPerCall,
  about: 'Transaction ids of the orders. Either all are processed or none.',
  example: ['7001'],
  entry: { pattern: '^[0-9]{1,18}$' },
});
const oneOrMany = z.union([transactionView, z.array(transactionView)]);
const example = {
  ...transactionExample,
  customer_id: '2001',
  transaction_id: '7001',
  amount: 15,
  status: 'completed',
} as const;
const errors: readonly ErrorCode[] = [
  ...purchaseErrors,
  'account_suspended',
  'domain_not_available',
  'tld_not_offered',
  'transfer_not_possible',
  'already_renewed',
];

const first = 'requires a waiting order: `POST /domains` with `invoice_option` only_add';

const isId = (read: string) => /^\d{1,18}$/.test(read);

function idsOf(sent: readonly string[]): string[] {
  if (sent.length === 0 || !sent.every(isId)) throw badField('transaction', 'Must be decimal ids.');
  return [...new Set(sent.map((each) => BigInt(each).toString()))];
}

/** One id returns one object, several return a list. */
const show = (bills: readonly Transaction[]) =>
  bills.length === 1 ? showTransaction(bills[0]!) : bills.map(showTransaction);

/** The placed orders are run and waited for; the bills then show the result. For a single order, a refusal is the response. */
async function waitFor(ctx: AppContext, caller: Caller, { bills, operationIds }: Ran) {
  const { waitMs } = preferences(caller, ctx);
  const ended = await Promise.all(operationIds.map((each) => ctx.engine.startAndWait(caller.resellerId, each, waitMs)));
  const [only] = ended;
  if (bills.length === 1 && only?.state === 'refused') throw refusalOf(only);
  const after = bills.map(({ id: bill, customer_id: customer }) =>
    findTransaction(ctx, caller, caller.resellerId, bill, customer!),
  );
  return show(await Promise.all(after));
}

type Shown = ReturnType<typeof showTransaction>;

/** For a repeated payment request: the bills as they are now, not as they were at the time of payment. */
async function currentState(ctx: AppContext, caller: Caller, kept: unknown) {
  const bills = (Array.isArray(kept) ? kept : [kept]) as Shown[];
  const found = bills.map((bill) =>
    findTransaction(ctx, caller, caller.resellerId, bill.transaction_id, bill.customer_id!),
  );
  return show(await Promise.all(found));
}

async function run(ctx: AppContext, caller: Caller, sent: readonly string[], running: Omit<Running, 'ids'>) {
  const { customerId } = running;
  await readCustomer(ctx, caller, customerId);
  return waitFor(ctx, caller, await runOrders(ctx, caller, { ...running, customerId, ids: idsOf(sent) }));
}

const payRoute = route({
  method: 'POST',
  path: '/customers/{customer_id}/transactions/pay',
  area: 'billing',
  style: 'contract',
  summary: 'Pay bills of a customer',
  description:
    'Pays open bills. A waiting order of a bill is placed and run. If an order cannot be placed, nothing is paid and the response has the reason. With subtract_balance=false the money was received elsewhere, and a deposit of the amount is recorded.',
  input: z.object({
    customer_id,
    transaction_id: transaction_ids,
    subtract_balance: flag('Take the money from the balance of the customer. false: it was received elsewhere.'),
  }),
  output: oneOrMany,
  errors,
  example: { first, input: { customer_id: '2001', transaction_id: ['7001'], subtract_balance: true }, output: example },
  render: show,
  now: currentState,
  answer: async (ctx, caller, input) =>
    run(ctx, caller, input.transaction_id, {
      customerId: input.customer_id,
      how: 'pay',
      isDeposited: !input.subtract_balance,
      alsoRun: true,
    }),
});

const payWaitingRoute = route({
  method: 'POST',
  path: '/customers/{customer_id}/transactions/pay_add_only',
  area: 'billing',
  style: 'contract',
  summary: 'Pay and run waiting orders',
  description: 'Pays waiting orders from the balance of the customer, and runs them.',
  input: z.object({ customer_id, transaction_id: transaction_ids }),
  output: oneOrMany,
  errors,
  example: { first, input: { customer_id: '2001', transaction_id: ['7001'] }, output: example },
  render: show,
  now: currentState,
  answer: async (ctx, caller, input) =>
    run(ctx, caller, input.transaction_id, { customerId: input.customer_id, how: 'pay' }),
});

const executeRoute = route({
  method: 'POST',
  path: '/customers/{customer_id}/transactions/execute',
  area: 'billing',
  style: 'contract',
  summary: 'Run waiting orders without payment',
  description: 'Runs waiting orders. The bill stays open, or is cancelled with cancel_invoice=true.',
  input: z.object({
    customer_id,
    transaction_id: transaction_ids,
    cancel_invoice: flag('The customer owes nothing for it.'),
  }),
  output: oneOrMany,
  errors,
  example: {
    first,
    input: { customer_id: '2001', transaction_id: ['7001'], cancel_invoice: false },
    output: { ...example, status: 'unpaid', settled_at: null },
  },
  render: show,
  now: currentState,
  answer: async (ctx, caller, input) =>
    run(ctx, caller, input.transaction_id, {
      customerId: input.customer_id,
      how: input.cancel_invoice ? 'cancel' : 'keep',
    }),
});

const cancelRoute = route({
  method: 'POST',
  path: '/customers/{customer_id}/transactions/cancel',
  area: 'billing',
  style: 'contract',
  summary: 'Cancel a waiting order',
  description: 'Cancels a waiting order. Nothing was charged for it, and payments stay on the balance.',
  input: z.object({ customer_id, transaction_id }),
  output: transactionView,
  errors: ['not_found', 'conflict'],
  example: {
    first,
    input: { customer_id: '2001', transaction_id: '7001' },
    output: { ...example, status: 'cancelled', operation_id: null },
  },
  render: showTransaction,
  async answer(ctx, caller, input) {
    await readCustomer(ctx, caller, input.customer_id);
    return showTransaction(await cancelOrder(ctx, caller, input.customer_id, input.transaction_id));
  },
});

const retryRoute = route({
  method: 'POST',
  path: '/customers/{customer_id}/transactions/retry',
  area: 'billing',
  style: 'contract',
  summary: 'Retry an order',
  description:
    'A waiting order is paid from the balance and run. An order in progress is continued. A completed order does not change.',
  input: z.object({ customer_id, transaction_id }),
  output: transactionView,
  errors,
  example: { first, input: { customer_id: '2001', transaction_id: '7001' }, output: example },
  render: show,
  now: currentState,
  async answer(ctx, caller, input) {
    await readCustomer(ctx, caller, input.customer_id);
    return waitFor(ctx, caller, await retryOrder(ctx, caller, input.customer_id, input.transaction_id));
  },
});

/** Orders that wait for the payment of a customer, and open bills. */
export const orderRoutes: readonly Route[] = [payRoute, payWaitingRoute, executeRoute, cancelRoute, retryRoute];
