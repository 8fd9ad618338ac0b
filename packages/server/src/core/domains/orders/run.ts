import { formatMoney, money } from '@namehold/base';
import { allTenants, type Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../../app-context.ts';
import { audit } from '../../audit/audit.ts';
import { badField, Refusal } from '../../errors.ts';
import { appendEvent } from '../../events/append.ts';
import { changeWithin } from '../../ledger/fund-customer.ts';
import { InsufficientBalance } from '../../ledger/hold.ts';
import { lockBills, lockPayers, payBill } from '../../ledger/ledger.sql.ts';
import { type Bill, ledgerLimits, type Transaction } from '../../ledger/ledger.ts';
import { mapOrderConflicts, place, throwOrderConflict } from '../buy/order-purchase.ts';
import type { Purchase, PurchaseOrder } from '../buy/purchase.ts';
import { purchases } from '../buy/purchases.ts';
import { billMoney, isWaiting, owedOf } from './bill.ts';
import { orderStatusText } from './order-status-text.ts';
import { orderLimits } from './wait.ts';
import { encryptionContextOf } from './waiting.ts';
import { deleteWaitingOrder, findWaitingOrders, lockWaitingOrders, type WaitingOrder } from './waiting-order.sql.ts';

/** Bills of one customer: with or without payment, the orders that wait for them are run. */
export interface Running {
  readonly customerId: string;
  readonly ids: readonly string[];
  readonly how: Bill['how'];
  /** With `pay`: not from the balance, but with money that came in with the call. */
  readonly isDeposited?: boolean;
  /** Includes bills whose orders have run. */
  readonly alsoRun?: boolean;
  /** Recorded in the same transaction. */
  readonly noted?: (tx: Tx) => Promise<void>;
}

export interface Ran {
  readonly bills: readonly Transaction[];
  /** Operations to run. */
  readonly operationIds: readonly string[];
}

interface Ready {
  readonly waiting: WaitingOrder;
  readonly purchase: Purchase;
  readonly order: PurchaseOrder;
  readonly checked: unknown;
}

/**
 * Pays bills and places the orders that waited for payment, all in one transaction. Each order is checked and priced again, as if it
 * were made now; the amount of the bill stays as it was shown to the customer.
 */
export async function runOrders(ctx: AppContext, actor: Actor, running: Running): Promise<Ran> {
  const { customerId, how } = running;
  const ids = [...new Set(running.ids)].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
  if (ids.length > orderLimits.billsPerCall)
    throw badField('transactions', `At most ${orderLimits.billsPerCall} orders are allowed in one call.`, 'too_many');
  const find = () => findWaitingOrders(ctx.db.as(actor.resellerId), actor.resellerId, customerId, ids);
  const waiting = await find();
  refuseTwice(waiting);
  const ready: Ready[] = [];
  for (const each of waiting) {
    const made = await inOrder(each, ids, () => makeReady(ctx, actor, each)).catch(async (error: unknown) => {
      // Another call has just run it: the status of its bill is a better answer than the refusal of a new order.
      if ((await find()).some((still) => still.transaction_id === each.transaction_id)) throw error;
      return undefined;
    });
    if (made) ready.push(made);
  }
  ctx.failpoint(`order:before-${how}`);
  const kind = ready[0]?.purchase.workflow.kind;
  const within = (tx: Tx) => runWithin(ctx, tx, actor, { ...running, ids }, ready);
  const work = () => ctx.db.transaction(allTenants, within, { of: actor.resellerId });
  return kind ? mapOrderConflicts(ctx, kind, work) : work();
}

/** Two orders for one domain would block each other. */
function refuseTwice(waiting: readonly WaitingOrder[]): void {
  for (const { domain_id, transaction_id } of waiting) {
    const other = waiting.find((each) => each.domain_id === domain_id && each.transaction_id !== transaction_id);
    if (!other) continue;
    const both = `${transaction_id} and ${other.transaction_id}`;
    throw badField('transactions', `Orders ${both} are for the same domain. Send them one after the other.`);
  }
}

/** Rewrites a refusal for an order that waited, and adds which of several orders it concerns. */
async function inOrder<T>(
  { transaction_id }: Pick<WaitingOrder, 'transaction_id'>,
  ids: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error instanceof InsufficientBalance) throw error;
    const { errors: _, help: __, ...details } = error.details;
    const facts = { ...details.facts, transaction_id };
    if (error.code === 'already_renewed')
      throw new Refusal(
        'already_renewed',
        `Order ${transaction_id}: ${error.message} Cancel it and place a new order.`,
        {
          ...details,
          facts,
        },
      );
    if (ids.length === 1) throw error;
    throw new Refusal(error.code, `Order ${transaction_id}: ${error.message}`, { ...error.details, facts });
  }
}

async function makeReady(ctx: AppContext, actor: Actor, waiting: WaitingOrder): Promise<Ready> {
  const purchase = Object.values(purchases).find(({ workflow }) => workflow.kind === waiting.kind) as
    | Purchase
    | undefined;
  // A later release may have recorded it.
  if (!purchase) throw new Error(`unknown product ${waiting.kind}`);
  const order = JSON.parse(
    ctx.vault.open(waiting.order_sealed, encryptionContextOf(waiting.transaction_id)),
  ) as PurchaseOrder;
  return { waiting, purchase, order, checked: await purchase.check(ctx, actor, order) };
}

async function runWithin(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  running: Running,
  ready: readonly Ready[],
): Promise<Ran> {
  const { resellerId } = actor;
  const { customerId, ids } = running;
  const stillWaiting = await lockWaitingOrders(tx, resellerId, ids);
  const bills = await lockBills(tx, resellerId, customerId, ids);
  if (running.isDeposited || ids.length > 1) await lockPayers(tx, resellerId, customerId);
  const operationIds: string[] = [];
  for (const id of ids) {
    const bill = bills.find((each) => each.id === id);
    if (!bill) throw badField('transaction', `Customer ${customerId} has no order ${id}.`, 'not_found');
    const order = ready.find(({ waiting }) => waiting.transaction_id === id);
    if (isWaiting(bill) && !order) throw new Refusal('conflict', `Order ${id} was just created. Try again.`);
    await requireRunnable(tx, resellerId, bill, running);
    if (running.isDeposited) await deposit(ctx, tx, actor, bill);
    if (order && stillWaiting.some((each) => each.transaction_id === id)) {
      const run = () => runOne(ctx, tx, actor, bill, order, running.how).catch(throwOrderConflict);
      operationIds.push(await lacking(bills, bill, () => inOrder({ transaction_id: id }, ids, run)));
    } else await lacking(bills, bill, () => payKept(ctx, tx, resellerId, bill));
    await recordRun(ctx, tx, actor, bill, running);
  }
  const after = await lockBills(tx, resellerId, customerId, ids);
  await actor.idempotency?.complete(tx, after);
  await running.noted?.(tx);
  ctx.failpoint(`order:in-${running.how}`);
  return { bills: after, operationIds };
}

/** For several bills, reports the amount that is missing for all of them, not only for the first uncovered one. */
async function lacking<T>(bills: readonly Transaction[], bill: Transaction, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InsufficientBalance) || bills.length === 1) throw error;
    const sum = (list: readonly Transaction[]) => list.reduce((total, each) => total + owedOf(each).amount, 0n);
    const later = bills.slice(bills.indexOf(bill) + 1);
    const amount = money(sum(bills), bill.currency);
    throw new InsufficientBalance({ customerId: bill.customer_id!, amount }, error.lacking + sum(later));
  }
}

async function requireRunnable(
  tx: Tx,
  resellerId: string,
  bill: Transaction,
  { how, alsoRun }: Running,
): Promise<void> {
  if (isWaiting(bill)) return;
  const isOpen = bill.status === 'unpaid';
  if (isOpen && how === 'pay' && alsoRun) return;
  const advice = isOpen && how === 'pay' ? ' Pay it as an open bill.' : '';
  throw new Refusal('conflict', `Order ${bill.id} ${await orderStatusText(tx, resellerId, bill)}.${advice}`, {
    facts: { transaction_id: bill.id, status: bill.status },
  });
}

/** The same transaction A as for every order; the bill is its lowest level. */
async function runOne(
  ctx: AppContext,
  tx: Tx,
  { idempotency: _, ...actor }: Actor,
  bill: Transaction,
  { waiting, purchase, order, checked }: Ready,
  how: Bill['how'],
): Promise<string> {
  await deleteWaitingOrder(tx, bill.id);
  return place(ctx, tx, actor, purchase, order, checked, {
    how,
    unpaidOrder: {
      domainId: waiting.domain_id,
      bill: { customerId: waiting.customer_id, amount: billMoney(bill), transactionId: bill.id },
    },
  });
}

/** Money that came in with the payment: first added to the balance, then used like any other. */
async function deposit(ctx: AppContext, tx: Tx, actor: Actor, bill: Transaction): Promise<void> {
  const amount = owedOf(bill);
  if (amount.amount === 0n) return;
  const description = `Payment of ${bill.id}: ${bill.description}`.slice(0, ledgerLimits.descriptionLength);
  const funded = { posting: 'fund', receipts: 1n } as const;
  await changeWithin(ctx, tx, actor, bill.customer_id!, funded, { amount, description });
}

async function payKept(ctx: AppContext, tx: Tx, resellerId: string, bill: Transaction): Promise<void> {
  const missing = await payBill(tx, ctx.clock.now(), resellerId, bill.id);
  if (missing > 0n) throw new InsufficientBalance({ customerId: bill.customer_id!, amount: owedOf(bill) }, missing);
}

async function recordRun(ctx: AppContext, tx: Tx, actor: Actor, bill: Transaction, running: Running): Promise<void> {
  const { how } = running;
  const amount = { amount: formatMoney(owedOf(bill)), currency: bill.currency };
  await audit(ctx, tx, actor, {
    action: how === 'pay' ? 'order.pay' : 'order.execute',
    objectType: 'order',
    objectId: bill.id,
    before: { status: bill.status },
    after: { customer_id: bill.customer_id, how, ...amount, deposited: running.isDeposited ?? false },
  });
  if (how !== 'pay') return;
  await appendEvent(ctx, tx, {
    resellerId: actor.resellerId,
    type: 'order.paid',
    objectId: bill.id,
    requestId: actor.requestId,
    payload: { customer_id: bill.customer_id!, domain_id: bill.domain_id!, amount },
  });
}
